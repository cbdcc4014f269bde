// The USB wire and a host on it. rp2040js hands data over at once and leaves out toggles, stalls and addresses; here the host
// asks for every packet, as on a real bus, enumerates the box as Linux does, and opens its serial port.
import { FirmwareError } from './pico.mjs';

const US = 1000; // in nanoseconds
const MS = 1000 * US;
const NANOS_PER_BYTE = 667; // 12 Mbit/s
const OVERHEAD_BYTES = 13; // of a transaction: token, handshake, gaps
const CONNECT_MS = 5; // Linux waits for 100
const RESET_MS = 10;
const RECOVERY_MS = 2; // Linux waits for 10
const QUIET_BUS_US = 800; // erratum RP2040-E5
const RETRY_US = 30; // until the host asks again after a NAK

const FULL = 1 << 15;
const DATA1 = 1 << 13;
const STALL = 1 << 11;
const AVAILABLE = 1 << 10;
const LENGTH = 0x3ff;
const SIE_BUS_RESET = 1 << 19;
const SIE_SETUP = 1 << 17;
const SIE_CONNECTED = 1 << 16;
const LINE_STATE_J = 1 << 2;
const LINE_STATE = 3 << 2;
const TO_PHY = 1;
const TO_DIGITAL_PAD = 4;

const GET_DESCRIPTOR = 6;
const SET_ADDRESS = 5;
const SET_CONFIGURATION = 9;
export const ADDRESS = 7;

export class UsbBus {
  constructor(pico) {
    this.pico = pico;
    this.isPlugged = false; // a cable to a host
    this.hasBusyHub = false; // other devices' traffic never stops
    this.wantsOpen = true;
    this.isLent = false; // to a host that is not simulated
    this.onOpen = () => {};
    this.onData = () => {};
    this.onSent = () => {};
    this.onReport = () => {};
  }

  attach(chip) {
    this.chip = chip;
    this.controller = chip.usbCtrl;
    this.queue = []; // bytes for the box
    this.isOpen = false;
    this.dataBusy = false;
    this.muxing = 0;
    this.quietSince = null;
    const { controller } = this;
    controller.DPRAMUpdated = (offset, value) => {
      if (value & AVAILABLE && this.isOpen) this.poll();
    };
    const write = controller.writeUint32.bind(controller);
    controller.writeUint32 = (offset, value) => {
      if (offset === 0x50) {
        controller.sieStatus &= ~(controller.rawWriteValue & (SIE_BUS_RESET | SIE_SETUP | SIE_CONNECTED));
        controller.sieStatusUpdated();
      } else if (offset === 0x74) {
        this.muxing = value;
        this.checkQuiet();
      } else if (offset === 0x7c || offset === 0x80) {
        this[`phy${offset}`] = value;
      } else {
        write(offset, value);
        if (offset === 0x4c && value & (1 << 16)) {
          const { clocks, pllUsb } = this.chip;
          if (pllUsb.frequency !== 48e6 || clocks.usbCtrl !== 1 << 11) throw new FirmwareError('USB without its 48 MHz');
          if (this.isPlugged) this.connect();
        }
      }
    };
    const read = controller.readUint32.bind(controller);
    controller.readUint32 = (offset) => (offset === 0x7c || offset === 0x80 ? (this[`phy${offset}`] ?? 0) : read(offset));
  }

  // --- the wire ---

  // The controller answers tokens only after it saw a quiet bus; with a busy hub it sees one only while it is cut off.
  checkQuiet() {
    const isQuiet = !(this.controller.sieStatus & LINE_STATE)
      ? false
      : !this.hasBusyHub || (this.muxing & TO_DIGITAL_PAD && !(this.muxing & TO_PHY));
    if (!isQuiet) {
      this.quietSince = null;
      return;
    }
    if (this.quietSince !== null) return;
    this.quietSince = this.pico.clock.nanos;
    const since = this.quietSince;
    this.pico.after(QUIET_BUS_US * US, () => {
      if (this.quietSince === since) this.controller.sieStatus |= SIE_CONNECTED;
    });
  }

  resetBus(then) {
    const { controller, pico } = this;
    controller.sieStatus = (controller.sieStatus & ~(LINE_STATE | SIE_CONNECTED)) | SIE_BUS_RESET;
    this.quietSince = null;
    this.isOpen = false;
    this.toggles = new Map();
    controller.sieStatusUpdated();
    pico.after(RESET_MS * MS, () => {
      controller.sieStatus |= LINE_STATE_J;
      this.checkQuiet();
      pico.after(RECOVERY_MS * MS, then);
    });
  }

  control(endpoint, isOut) {
    return 0x80 + 8 * endpoint + (isOut ? 4 : 0);
  }

  // Makes one transaction; returns 'nak', 'stall' or 'none' if there was no data, else the bytes.
  transact(endpoint, isOut, bytes, address) {
    const { controller, chip } = this;
    const { usbDPRAM: memory, usbDPRAMView: view } = chip;
    const isCut = this.muxing & TO_DIGITAL_PAD && !(this.muxing & TO_PHY);
    if (!(controller.sieStatus & SIE_CONNECTED) || isCut || (controller.addrEndp & 0x7f) !== address) return 'none';
    const at = this.control(endpoint, isOut);
    const value = view.getUint32(at, true);
    if (value & STALL) {
      const armed = controller.epStallArm & (isOut ? 2 : 1);
      if (endpoint || armed) return 'stall';
    }
    if (!(value & AVAILABLE)) return 'nak';
    if (!isOut && !(value & FULL)) throw new FirmwareError(`endpoint ${endpoint}: an empty buffer to send`);
    const key = `${endpoint}${isOut}`;
    const toggle = this.toggles.get(key) ?? 0;
    if (!!(value & DATA1) !== !!toggle) throw new FirmwareError(`endpoint ${endpoint} ${isOut ? 'out' : 'in'}: wrong DATA0/DATA1`);
    this.toggles.set(key, 1 - toggle);
    const buffer = controller.getEndpointBufferOffset(endpoint, isOut);
    const room = value & LENGTH;
    let data = bytes;
    if (isOut) {
      if (bytes.length > room) throw new FirmwareError(`endpoint ${endpoint}: no room for a packet`);
      memory.set(bytes, buffer);
      view.setUint32(at, (value & ~(AVAILABLE | LENGTH)) | FULL | bytes.length, true);
    } else {
      data = memory.slice(buffer, buffer + room);
      view.setUint32(at, value & ~(AVAILABLE | FULL), true);
    }
    controller.indicateBufferReady(endpoint, isOut);
    return data;
  }

  // Repeats a transaction until it succeeds.
  ask(endpoint, isOut, bytes, address, then, tries = 2000, isWanted = () => true) {
    const count = isOut ? bytes.length : 64;
    this.pico.after((OVERHEAD_BYTES + count) * NANOS_PER_BYTE, () => {
      if (!isWanted()) return then([]);
      const result = this.transact(endpoint, isOut, bytes, address);
      if (result === 'stall' || result === 'none' || (result === 'nak' && tries === 0)) then(null, result);
      else if (result === 'nak') this.pico.after(RETRY_US * US, () => this.ask(endpoint, isOut, bytes, address, then, tries - 1, isWanted));
      else then(result);
    });
  }

  // --- control transfers ---

  request(address, type, request, value, index, length, data, then) {
    const setup = new Uint8Array([type, request, value & 0xff, value >> 8, index & 0xff, index >> 8, length & 0xff, length >> 8]);
    const { controller, chip } = this;
    if (!(controller.sieStatus & SIE_CONNECTED) || (controller.addrEndp & 0x7f) !== address) {
      then(null, 'none');
      return;
    }
    chip.usbDPRAM.set(setup, 0);
    controller.epStallArm = 0;
    this.toggles.set('0true', 1);
    this.toggles.set('0false', 1);
    controller.sieStatus |= SIE_SETUP;
    controller.sieStatusUpdated();
    if (type & 0x80) {
      const all = [];
      const more = (bytes, problem) => {
        if (!bytes) {
          then(null, problem);
          return;
        }
        all.push(...bytes);
        if (bytes.length === 64 && all.length < length) {
          this.ask(0, false, null, address, more);
        } else {
          this.toggles.set('0true', 1);
          this.ask(0, true, new Uint8Array(0), address, (done, status) => then(done && all, status));
        }
      };
      this.ask(0, false, null, address, more);
    } else {
      const confirm = (done, problem) => {
        if (!done) then(null, problem);
        else this.ask(0, false, null, address, (end, status) => then(end && [], status));
      };
      if (length) this.ask(0, true, new Uint8Array(data), address, confirm);
      else confirm([]);
    }
  }

  // --- the host ---

  plug() {
    this.isPlugged = true;
    if (this.controller && this.controller.sieCtrl & (1 << 16)) this.connect();
  }

  connect() {
    const fail = (what, problem) => this.onReport('failed', `${what}: ${problem}`);
    const step = (what, address, type, request, value, index, length, data, then) =>
      this.request(address, type, request, value, index, length, data, (answer, problem) => {
        if (answer) then(answer);
        else fail(what, problem);
      });
    const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const strings = (wanted, then) => {
      if (!wanted.length) then();
      else
        step(`string ${wanted[0]}`, ADDRESS, 0x80, GET_DESCRIPTOR, 0x300 | wanted[0], 0x409, 255, null, (bytes) => {
          this.onReport(`string${wanted[0]}`, hex(bytes));
          strings(wanted.slice(1), then);
        });
    };
    const afterAddress = () => {
      step('device', ADDRESS, 0x80, GET_DESCRIPTOR, 0x100, 0, 18, null, (device) => {
        this.onReport('device', hex(device));
        this.device = device;
        if (this.isLent) return; // another host does the rest
        // Linux asks a USB 2.0 device of full speed what it would be at high speed; it must refuse.
        this.request(ADDRESS, 0x80, GET_DESCRIPTOR, 0x600, 0, 10, null, (_, problem) => {
          if (problem !== 'stall') return fail('device qualifier', problem ?? 'answered');
          step('configuration', ADDRESS, 0x80, GET_DESCRIPTOR, 0x200, 0, 9, null, (head) =>
            step('configuration', ADDRESS, 0x80, GET_DESCRIPTOR, 0x200, 0, head[2] | (head[3] << 8), null, (all) => {
              this.onReport('configuration', hex(all));
              strings([0, 1, 2, 3], () =>
                step('set configuration', ADDRESS, 0, SET_CONFIGURATION, 1, 0, 0, null, () => {
                  this.isConfigured = true;
                  if (this.wantsOpen) this.open();
                }),
              );
            }),
          );
        });
      });
    };
    this.isConfigured = false;
    this.pico.after(CONNECT_MS * MS, () =>
      this.resetBus(() =>
        step('first look', 0, 0x80, GET_DESCRIPTOR, 0x100, 0, 64, null, () =>
          this.resetBus(() =>
            step('set address', 0, 0, SET_ADDRESS, ADDRESS, 0, 0, null, () => this.pico.after(2 * MS, afterAddress)),
          ),
        ),
      ),
    );
  }

  // As Linux does when a program opens the port.
  open(baud = 115200) {
    this.wantsOpen = true;
    if (!this.isConfigured) return;
    const coding = [baud & 0xff, (baud >> 8) & 0xff, baud >> 16, 0, 0, 0, 8];
    this.request(ADDRESS, 0x21, 0x20, 0, 0, 7, coding, (done, problem) => {
      if (!done) return this.onReport('failed', `line coding: ${problem}`);
      this.request(ADDRESS, 0x21, 0x22, 3, 0, 0, null, (set, trouble) => {
        if (!set) return this.onReport('failed', `control lines: ${trouble}`);
        this.isOpen = true;
        this.onOpen();
        this.poll();
      });
    });
  }

  close() {
    this.wantsOpen = false;
    this.isOpen = false;
    this.queue = [];
    if (this.isConfigured) this.request(ADDRESS, 0x21, 0x22, 0, 0, 0, null, () => {});
  }

  send(bytes) {
    if (!this.isOpen) return; // nobody to send it: a program cannot open the port yet
    this.queue.push(...bytes);
    this.poll();
  }

  // Moves data in both directions, one transaction at a time, as long as there is some.
  poll() {
    if (this.dataBusy || !this.isOpen) return;
    const view = this.chip.usbDPRAMView;
    const canRead = view.getUint32(this.control(2, false), true) & AVAILABLE;
    const canWrite = this.queue.length && view.getUint32(this.control(2, true), true) & AVAILABLE;
    if (!canRead && !canWrite) return;
    this.dataBusy = true;
    const isOut = canWrite && (!canRead || !this.wasOut);
    this.wasOut = isOut;
    const bytes = isOut ? new Uint8Array(this.queue.splice(0, 64)) : null;
    const begun = this.pico.clock.nanos;
    const count = isOut ? bytes.length : view.getUint32(this.control(2, false), true) & LENGTH;
    this.pico.after((OVERHEAD_BYTES + count) * NANOS_PER_BYTE, () => {
      this.dataBusy = false;
      if (!this.isOpen) return;
      const result = this.transact(2, !!isOut, bytes, ADDRESS);
      if (typeof result === 'string') throw new FirmwareError(`endpoint 2 ${isOut ? 'out' : 'in'}: ${result}`);
      if (isOut) this.onSent(bytes, this.pico.clock.nanos);
      else this.onData(result, begun);
      this.poll();
    });
  }
}
