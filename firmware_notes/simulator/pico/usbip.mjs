// Lends the simulated box to a real Linux host by USB/IP (Documentation/usb/usbip_protocol.rst of the kernel):
//   modprobe vhci-hcd && usbip --tcp-port PORT attach -r localhost -b 1-1
// The kernel's own USB stack enumerates it then, and its cdc-acm driver makes it a /dev/ttyACM.
import net from 'node:net';
import { ADDRESS } from './usb_bus.mjs';

const VERSION = 0x0111;
const OP_REQ_IMPORT = 0x8003;
const OP_REP_IMPORT = 0x0003;
const CMD_SUBMIT = 1;
const CMD_UNLINK = 2;
const RET_SUBMIT = 3;
const RET_UNLINK = 4;
const HEADER_BYTES = 48;
const FULL_SPEED = 2;
const EPIPE = -32;
const ECONNRESET = -104;
const BUS_ID = '1-1';
const PACKET = 64;
const FOR_EVER = Infinity;

function describeDevice(device) {
  const out = Buffer.alloc(312);
  out.write('/sys/devices/picosim/usb1/1-1', 0);
  out.write(BUS_ID, 256);
  out.writeUInt32BE(1, 288);
  out.writeUInt32BE(ADDRESS, 292);
  out.writeUInt32BE(FULL_SPEED, 296);
  [8, 10, 12].forEach((at, n) => out.writeUInt16BE(device[at] | (device[at + 1] << 8), 300 + 2 * n)); // ids, release
  Buffer.from([device[4], device[5], device[6], 0, 1, 0]).copy(out, 306);
  return out;
}

export function serveUsbip(usb, port, onLent) {
  const server = net.createServer((socket) => {
    let pending = Buffer.alloc(0);
    let isImported = false;
    const queues = new Map(); // transfers of each endpoint and direction, the first is under way
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());

    const reply = (transfer, status, data) => {
      const head = Buffer.alloc(HEADER_BYTES);
      head.writeUInt32BE(RET_SUBMIT, 0);
      head.writeUInt32BE(transfer.seqnum, 4);
      head.writeInt32BE(status, 20);
      head.writeUInt32BE(transfer.isOut ? (status ? 0 : transfer.length) : data.length, 24);
      socket.write(transfer.isOut ? head : Buffer.concat([head, Buffer.from(data)]));
    };
    const finish = (queue, status, data = []) => {
      const transfer = queue.shift();
      if (!transfer.isUnlinked) reply(transfer, status, data);
      if (queue.length) begin(queue);
    };
    const begin = (queue) => {
      const transfer = queue[0];
      const { endpoint, isOut, setup, data } = transfer;
      if (endpoint === 0) {
        const word = (at) => setup.readUInt16LE(at);
        usb.request(ADDRESS, setup[0], setup[1], word(2), word(4), word(6), data, (answer) =>
          finish(queue, answer ? 0 : EPIPE, answer ?? []),
        );
      } else if (isOut) {
        const more = (at) => {
          if (at >= data.length) finish(queue, 0);
          else usb.ask(endpoint, true, data.subarray(at, at + PACKET), ADDRESS, (done) => (done ? more(at + PACKET) : finish(queue, EPIPE)), FOR_EVER);
        };
        more(0);
      } else {
        const isWanted = () => !transfer.isUnlinked;
        usb.ask(endpoint, false, null, ADDRESS, (bytes) => finish(queue, bytes ? 0 : EPIPE, bytes ?? []), FOR_EVER, isWanted);
      }
    };
    const submit = (transfer) => {
      const key = `${transfer.endpoint}${transfer.isOut}`;
      if (!queues.has(key)) queues.set(key, []);
      const queue = queues.get(key);
      queue.push(transfer);
      if (queue.length === 1) begin(queue);
    };
    const unlink = (seqnum, victim) => {
      let status = 0;
      for (const queue of queues.values())
        for (const transfer of queue)
          if (transfer.seqnum === victim && !transfer.isUnlinked) {
            transfer.isUnlinked = true;
            status = ECONNRESET;
          }
      const head = Buffer.alloc(HEADER_BYTES);
      head.writeUInt32BE(RET_UNLINK, 0);
      head.writeUInt32BE(seqnum, 4);
      head.writeInt32BE(status, 20);
      socket.write(head);
    };

    // Returns how many bytes were used; 0: more are needed.
    const take = (bytes) => {
      if (!isImported) {
        if (bytes.length < 40) return 0;
        const isGood = bytes.readUInt16BE(2) === OP_REQ_IMPORT && usb.device;
        const head = Buffer.alloc(8);
        head.writeUInt16BE(VERSION, 0);
        head.writeUInt16BE(OP_REP_IMPORT, 2);
        head.writeUInt32BE(isGood ? 0 : 1, 4);
        socket.write(isGood ? Buffer.concat([head, describeDevice(usb.device)]) : head);
        isImported = isGood;
        if (isGood) onLent();
        return 40;
      }
      if (bytes.length < HEADER_BYTES) return 0;
      const word = (n) => bytes.readUInt32BE(4 * n);
      if (word(0) === CMD_UNLINK) {
        unlink(word(1), word(5));
        return HEADER_BYTES;
      }
      if (word(0) !== CMD_SUBMIT) throw new Error(`USB/IP command ${word(0)}`);
      const isOut = word(3) === 0;
      const length = word(6);
      const end = HEADER_BYTES + (isOut ? length : 0);
      if (bytes.length < end) return 0;
      const data = Uint8Array.from(bytes.subarray(HEADER_BYTES, end));
      submit({ seqnum: word(1), endpoint: word(4), isOut, length, data, setup: Buffer.from(bytes.subarray(40, 48)) });
      return end;
    };
    socket.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes]);
      for (let used; (used = take(pending)); ) pending = pending.subarray(used);
    });
  });
  server.listen(port, '127.0.0.1');
}
