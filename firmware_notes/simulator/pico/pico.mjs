// A Raspberry Pi Pico: rp2040js, with the parts that it leaves out or simplifies where a mistake of the firmware would
// not show: blocks held in reset, clocks, the flash's own commands, the UART's timing, the ROM's check of the second stage.
import { ConsoleLogger, LogLevel, RP2040 } from 'rp2040js';
import { PixelChain } from './pixels.mjs';
import { UsbBus } from './usb_bus.mjs';

const BOOT2_BYTES = 252;
const BOOT2_RUNS_AT = 0x20041f00;
const RAM_AT = 0x20000000;
const ROSC_HZ = 6.5e6; // the processor's clock while the ROM runs
const US = 1000; // in nanoseconds

const RESET_ALL = 0x1ffffff;
const RELEASED_BY_ROM = (1 << 6) | (1 << 9); // IO_QSPI, PADS_QSPI
const RESET_BITS = {
  0x40000: 19, 0x40014: 5, 0x40018: 6, 0x4001c: 8, 0x40020: 9, 0x40028: 12, 0x4002c: 13, 0x40034: 22, 0x40038: 23,
  0x4003c: 16, 0x40040: 17, 0x40044: 3, 0x40048: 4, 0x4004c: 0, 0x40050: 14, 0x40054: 21, 0x4005c: 15, 0x50000: 2,
  0x50110: 24, 0x50200: 10, 0x50300: 11,
}; // prettier-ignore
const TIMER = 0x40054;
const TIMERAWL = 0x28;
const WATCHDOG_TICK = 0x2c;
const TICK_OF_A_MICROSECOND = (1 << 9) | 12; // enabled, of a 12 MHz crystal

const ROM_FUNCTIONS = 0x14;
const ROM_LOOKUP = 0x18;
const ROM_TABLE_AT = 0x80;
const ROM_LOOKUP_AT = 0x100;
const ROM_USB_BOOT_AT = 0x200;
// Thumb: returns ROM_USB_BOOT_AT if the code is 'UB', else 0.
const ROM_LOOKUP_CODE = [0x42914a03, 0x4803d101, 0x20004770, 0x46c04770, 0x4255, ROM_USB_BOOT_AT | 1];
const BREAKPOINT = 0xbe00;

export const UART_TX_PIN = 0;
export const UART_RX_PIN = 1;
const FUNCTION_UART = 2;
export const BUTTON_PINS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
export const LAMP_PINS = [16, 17, 18, 19, 20, 21, 22, 26, 27, 28];

export class FirmwareError extends Error {}

// The ROM's checksum: polynomial 0x04C11DB7, nothing reflected.
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

// Writes the blocks of a UF2 file to the flash, as the Pico's USB drive does: only those of its own family.
function loadUf2(file, flash) {
  for (let at = 0; at + 512 <= file.length; at += 512) {
    const word = (n) => file.readUInt32LE(at + 4 * n);
    if (word(0) !== 0x0a324655 || word(1) !== 0x9e5d5157 || word(127) !== 0x0ab16f30)
      throw new FirmwareError(`block ${at / 512} is not of a UF2 file`);
    if (word(7) === 0xe48bff56) flash.set(file.subarray(at + 32, at + 32 + word(4)), word(3) - 0x10000000);
  }
}

// The flash chip and the controller before it, as far as commands are sent by hand: 4Bh, "read unique id".
class Flash {
  constructor(id) {
    this.id = id;
    this.registers = new Map();
    this.received = [];
    this.command = [];
    this.isSelected = false;
  }
  readUint32(offset) {
    if (offset === 0x28) return (1 << 1) | (1 << 2) | (this.received.length ? 1 << 3 : 0);
    if (offset === 0x60) {
      if (!this.received.length) throw new FirmwareError('the flash has nothing to read');
      return this.received.shift();
    }
    return this.registers.get(offset) ?? 0;
  }
  writeUint32Atomic(offset, value) {
    if (offset !== 0x60) {
      this.registers.set(offset, value);
      return;
    }
    const isReady =
      this.registers.get(0x08) === 1 && this.registers.get(0x10) === 1 && this.registers.get(0x00) === 7 << 16;
    if (!isReady || !this.isSelected) throw new FirmwareError('a byte for the flash, which is not selected');
    this.command.push(value & 0xff);
    const at = this.command.length - 6;
    this.received.push(this.command[0] === 0x4b && at >= 0 ? this.id[at % 8] : 0);
    if (this.received.length > 16) throw new FirmwareError('more bytes from the flash than its FIFO holds');
  }
  select(override) {
    this.isSelected = override === 2;
    if (!this.isSelected) this.command = [];
  }
}

// UART0 without FIFOs, with the time that each byte takes: one byte is sent while another one waits.
function giveTime(uart, pico) {
  let waiting = null;
  let isSending = false;
  let txRaw = false;
  const byteNanos = () => 10e9 / uart.baudRate;
  const check = () => {
    const raw = (uart.rxFIFO.empty ? 0 : 1 << 4) | (txRaw ? 1 << 5 : 0);
    pico.chip.setInterrupt(uart.irq, !!(raw & uart.interruptMask));
  };
  const begin = (byte) => {
    isSending = true;
    txRaw = true;
    if (pico.chip.gpio[UART_TX_PIN].functionSelect !== FUNCTION_UART) throw new FirmwareError('no UART on its pin');
    const at = pico.clock.nanos;
    pico.after(byteNanos(), () => {
      pico.onUartByte(byte, at);
      isSending = false;
      if (waiting !== null) {
        const next = waiting;
        waiting = null;
        begin(next);
      }
      check();
    });
  };
  Object.defineProperty(uart, 'flags', {
    get: () => (uart.rxFIFO.empty ? 1 << 4 : 0) | (waiting === null ? 1 << 7 : 1 << 5) | (isSending ? 1 << 3 : 0),
  });
  uart.checkInterrupts = check;
  uart.onByte = (byte) => {
    if (waiting !== null) throw new FirmwareError('a byte for a UART that is full');
    if (Math.abs(uart.baudRate - 115200) > 1152) throw new FirmwareError(`${uart.baudRate} baud`);
    if (isSending) {
      waiting = byte;
      txRaw = false;
    } else {
      begin(byte);
    }
    check();
  };
  uart.receive = (byte) => {
    const pin = pico.chip.gpio[UART_RX_PIN];
    if (!uart.enabled || pin.functionSelect !== FUNCTION_UART || !pin.inputEnable) return;
    uart.rxFIFO.push(uart.rxFIFO.empty ? byte : byte | 0x800); // overrun
    check();
  };
  uart.byteNanos = byteNanos;
}

// Times are nanoseconds since power-on.
export class Pico {
  constructor(file, { flashId = [0xe6, 0x61, 0x64, 0x08, 0x43, 0x2b, 0x5c, 0x1f], revision = 1, random = Math.random } = {}) {
    this.file = file;
    this.flashId = flashId;
    this.revision = revision;
    this.random = random;
    this.pressed = new Array(BUTTON_PINS.length).fill(false);
    this.events = []; // heap of {at, order, run}
    this.order = 0;
    this.over = false;
    this.clock = { nanosCounter: 0 };
    this.litNanos = new Array(LAMP_PINS.length).fill(0);
    this.usb = new UsbBus(this);
    this.onUartByte = () => {};
    this.onClock = () => {};
    this.onReset = () => {};
    this.onDrive = () => {};
    this.isDrive = false;
    this.skippedMicros = 0;
  }

  // --- events of the world around the chip ---

  at(nanos, run) {
    const { events } = this;
    const item = { at: nanos, order: this.order++, run };
    const isBefore = (a, b) => (a.at !== b.at ? a.at < b.at : a.order < b.order);
    let place = events.push(item) - 1;
    while (place) {
      const parent = (place - 1) >> 1;
      if (!isBefore(item, events[parent])) break;
      events[place] = events[parent];
      place = parent;
    }
    events[place] = item;
    return item;
  }

  // An event of this boot: a reset cancels it.
  after(nanos, run) {
    const { boot } = this;
    return this.at(this.clock.nanos + nanos, () => {
      if (this.boot === boot) run();
    });
  }

  popEvent() {
    const { events } = this;
    const top = events[0];
    const last = events.pop();
    if (!events.length) return top;
    const isBefore = (a, b) => (a.at !== b.at ? a.at < b.at : a.order < b.order);
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= events.length) break;
      if (child + 1 < events.length && isBefore(events[child + 1], events[child])) child++;
      if (!isBefore(events[child], last)) break;
      events[place] = events[child];
      place = child;
    }
    events[place] = last;
    return top;
  }

  // --- power and reset ---

  powerOn() {
    this.start(null);
  }

  reset() {
    this.wantsReset = true;
  }

  start(ram) {
    const now = this.clock.nanosCounter;
    this.boot = (this.boot ?? 0) + 1;
    this.wantsReset = false;
    this.hasClock = false;
    const chip = new RP2040();
    this.chip = chip;
    this.clock = chip.clock; // time goes on
    this.clock.nanosCounter = now;
    for (let alarm = this.clock.nextAlarm; alarm; alarm = alarm.next) alarm.nanos += now;
    chip.logger = new ConsoleLogger(LogLevel.Error, true);
    chip.clkSys = ROSC_HZ;
    loadUf2(this.file, chip.flash);
    if (ram) chip.sram.set(ram);
    else for (let i = 0; i < chip.sram.length; i++) chip.sram[i] = this.random() * 256;

    this.addResets();
    this.addTimer();
    this.addFlash();
    this.addPins();
    giveTime(chip.uart[0], this);
    chip.peripherals[0x40000].readUint32 = () => (this.revision << 28) | 0x2927;
    chip.peripherals[0x40060].readUint32 = (offset) => (offset === 0x1c ? Math.floor(this.random() * 2) : 0);
    const watchdog = chip.peripherals[0x40058];
    watchdog.onWatchdogTrigger = () => {
      watchdog.timer.enable = false; // it would be due again at once, for ever
      this.reset();
    };
    // A period is one tick longer than the value, which rp2040js forgets.
    const { ppb } = chip;
    let reload = 0;
    Object.defineProperty(ppb, 'systickReload', { get: () => reload + 1, set: (value) => (reload = value) });
    this.usb.attach(chip);
    this.pixels = new PixelChain(this, (what) => {
      throw new FirmwareError(what);
    });
    this.addRom();

    const stage = chip.flash.subarray(0, BOOT2_BYTES);
    if (crc32(stage) !== chip.flashView.getUint32(BOOT2_BYTES, true))
      throw new FirmwareError('the checksum of the second stage is wrong');
    chip.sram.set(chip.flash.subarray(0, 256), BOOT2_RUNS_AT - RAM_AT);
    chip.core.PC = BOOT2_RUNS_AT;
    chip.core.SP = BOOT2_RUNS_AT;
    chip.core.LR = 0;
  }

  // The only function of the ROM that is used: restart as a USB drive.
  addRom() {
    const { bootrom } = this.chip;
    bootrom[ROM_FUNCTIONS >> 2] = ROM_TABLE_AT;
    bootrom[ROM_LOOKUP >> 2] = ROM_LOOKUP_AT | 1;
    bootrom.set(ROM_LOOKUP_CODE, ROM_LOOKUP_AT >> 2);
    bootrom[ROM_USB_BOOT_AT >> 2] = BREAKPOINT;
    this.chip.onBreak = () => {
      this.isDrive = true;
      this.onDrive();
    };
  }

  addResets() {
    const resets = this.chip.peripherals[0x4000c];
    resets.reset = RESET_ALL & ~RELEASED_BY_ROM;
    Object.defineProperty(resets, 'reset_done', { get: () => ~resets.reset & RESET_ALL });
    const find = this.chip.findPeripheral.bind(this.chip);
    this.chip.findPeripheral = (address) => {
      const block = (address >>> 14) << 2;
      const bit = RESET_BITS[block];
      if (bit !== undefined && resets.reset & (1 << bit))
        throw new FirmwareError(`${address.toString(16)} is used while it is held in reset`);
      return find(address);
    };
    const write = resets.writeUint32.bind(resets);
    resets.writeUint32 = (offset, value) => {
      const was = resets.reset;
      write(offset, value);
      if (was & ~resets.reset & (1 << RESET_BITS[TIMER])) this.timerBase = this.clock.nanos;
    };
  }

  addTimer() {
    const timer = this.chip.peripherals[TIMER];
    const watchdog = this.chip.peripherals[0x40058];
    let tick = 0;
    const write = watchdog.writeUint32.bind(watchdog);
    watchdog.writeUint32 = (offset, value) => {
      if (offset === WATCHDOG_TICK) tick = value;
      write(offset, value);
    };
    timer.readUint32 = (offset) => {
      if (offset !== TIMERAWL) throw new FirmwareError('only TIMERAWL is simulated');
      if (tick !== TICK_OF_A_MICROSECOND || this.chip.clocks.refFreq !== 12e6)
        throw new FirmwareError('the timer counts no microseconds');
      const micros = Math.floor((this.clock.nanos - this.timerBase) / US);
      if (!this.hasClock) {
        // The firmware reads the timer first when its tick begins.
        this.hasClock = true;
        this.skippedMicros = 0;
        this.tickZero = this.timerBase + micros * US;
        this.onClock(this.tickZero);
      }
      return (micros + this.skippedMicros) >>> 0;
    };
  }

  // Lets the timer jump, as if that time had passed.
  skip(micros) {
    this.skippedMicros += micros;
    this.onClock(this.tickZero - this.skippedMicros * US);
  }

  addFlash() {
    const flash = new Flash(this.flashId);
    this.chip.peripherals[0x18000] = flash;
    this.chip.peripherals[0x40018] = {
      readUint32: () => 0,
      writeUint32Atomic: (offset, value) => {
        if (offset === 0x0c) flash.select((value >> 8) & 3);
      },
    };
  }

  addPins() {
    const { gpio } = this.chip;
    BUTTON_PINS.forEach((number, button) => {
      const pin = gpio[number];
      // An open switch leaves the pin to its pull-up; without one it reads as low here.
      Object.defineProperty(pin, 'rawInputValue', { get: () => !this.pressed[button] && pin.pullupEnabled, set: () => {} });
    });
    LAMP_PINS.forEach((number, lamp) => {
      let since = null;
      gpio[number].addListener((state) => {
        const now = this.clock.nanos;
        if (since !== null) this.litNanos[lamp] += now - since;
        since = state === 1 ? now : null;
      });
    });
    // rp2040js asks every pin, one by one.
    const buttons = BUTTON_PINS.map((number) => gpio[number]);
    Object.defineProperty(this.chip, 'gpioValues', {
      get: () => buttons.reduce((all, pin) => (pin.inputValue ? all | (1 << pin.index) : all), 0),
    });
  }

  // How long each lamp was lit since the last call, in nanoseconds.
  takeLit() {
    const now = this.clock.nanos;
    const { gpio } = this.chip;
    return LAMP_PINS.map((number, lamp) => {
      gpio[number].lastValue = null; // the listener adds what is lit now
      gpio[number].checkForUpdates();
      const lit = this.litNanos[lamp];
      this.litNanos[lamp] = 0;
      return lit;
    });
  }

  // --- time ---

  runUntil(end) {
    while (this.clock.nanos < end && !this.over) {
      if (this.isDrive) {
        this.clock.nanosCounter = end;
        return;
      }
      if (this.wantsReset) {
        const ram = this.chip.sram;
        this.onReset();
        this.start(ram);
      }
      const { clock, events } = this;
      while (events.length && events[0].at <= clock.nanos) this.popEvent().run();
      const { core } = this.chip;
      const next = events.length && events[0].at < end ? events[0].at : end;
      if (core.waiting && !core.interruptsUpdated) {
        const alarm = clock.nextAlarm ? clock.nextAlarm.nanos : Infinity;
        clock.nanosCounter = Math.min(next, alarm); // not by a difference, which may round to nothing
        clock.tick(0);
      } else {
        do {
          clock.tick((core.executeInstruction() * 1e9) / this.chip.clkSys);
        } while (clock.nanosCounter < next && !core.waiting && !this.wantsReset && !this.isDrive && (!events.length || events[0].at >= next));
      }
    }
  }
}
