// picosim: runs the button box's firmware in a simulated Raspberry Pi Pico. ../README.md lists the commands.
import fs from 'node:fs';
import readline from 'node:readline';
import tty from 'node:tty';
import { parseArgs } from 'node:util';
import { BUTTON_PINS, FirmwareError, Pico } from './pico.mjs';
import { serveUsbip } from './usbip.mjs';

const US = 1000; // in nanoseconds
const CHUNK_US = 500; // in real time: time for which the chip runs between two looks at the clock and the commands
const PTY = 3; // the descriptor on which the script `picosim` hands over its pty
const MAX_BEHIND_US = 100_000; // then the simulated time lags instead of catching up

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    line: { type: 'string', default: 'usb' },
    speed: { type: 'string', default: '1' },
    step: { type: 'boolean', default: false },
    script: { type: 'string' },
    revision: { type: 'string', default: '1' },
    'flash-id': { type: 'string' },
    usbip: { type: 'string' },
    'busy-hub': { type: 'boolean', default: false },
  },
});

// The same values in each run.
let seed = 1;
function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}

const out = [];
const print = (line) => out.push(line, '\n');
function flush() {
  if (!out.length) return;
  let text = Buffer.from(out.join(''));
  out.length = 0;
  while (text.length) {
    try {
      text = text.subarray(fs.writeSync(1, text));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

const micros = (nanos) => (nanos / US).toFixed(4);
const usesUart = options.line === 'uart';
const flashId = options['flash-id'] ? [...Buffer.from(options['flash-id'], 'hex')] : undefined;
const pico = new Pico(fs.readFileSync(positionals[0]), { flashId, revision: Number(options.revision), random });
const { usb } = pico;
usb.hasBusyHub = options['busy-hub'];
usb.wantsOpen = !usesUart;
usb.isLent = options.usbip !== undefined;
if (usb.isLent) serveUsbip(usb, Number(options.usbip), () => print(`lent ${micros(pico.clock.nanos)}`));

// --- the line ---

let frame = []; // lockstep: of the box, until its 0x00
let frameAt = 0;
let toPty = [];
function hear(bytes, at) {
  if (!options.step) {
    toPty.push(...bytes);
    return;
  }
  for (const byte of bytes) {
    if (!frame.length) frameAt = at;
    frame.push(byte);
    if (byte === 0) {
      print(`said ${micros(frameAt)} ${Buffer.from(frame).toString('hex')}`);
      frame = [];
    }
  }
}

const uartQueue = [];
let uartBusy = false;
function feedUart() {
  if (uartBusy || !uartQueue.length) return;
  uartBusy = true;
  const uart = pico.chip.uart[0];
  pico.after(uart.enabled ? uart.byteNanos() : 86_806, () => {
    uartBusy = false;
    const byte = uartQueue.shift();
    uart.receive(byte);
    if (byte === 0 && options.step) print(`heard ${micros(pico.clock.nanos)}`);
    feedUart();
  });
}

function send(bytes) {
  if (usesUart) {
    uartQueue.push(...bytes);
    feedUart();
  } else {
    usb.send(bytes);
  }
}

pico.onUartByte = (byte, at) => hear([byte], at);
usb.onData = (bytes, at) => usesUart || hear(bytes, at);
usb.onSent = (bytes, at) => {
  if (options.step) for (const byte of bytes) if (byte === 0) print(`heard ${micros(at)}`);
};
usb.onOpen = () => print(`open ${micros(pico.clock.nanos)}`);
usb.onReport = (what, value) => print(`usb ${what} ${value}`);
pico.onDrive = () => print(`drive ${micros(pico.clock.nanos)}`);
pico.onClock = (at) => print(`clock ${micros(at)}`);
pico.onReset = () => {
  print(`reset ${micros(pico.clock.nanos)}`);
  uartQueue.length = frame.length = 0;
  uartBusy = false;
};

// --- commands ---

let lampsSince = 0;
function command(line) {
  const [word, ...rest] = line.replace(/#.*/, '').trim().split(/\s+/);
  const now = pico.clock.nanos;
  const time = (text) => (text[0] === '+' ? now + Number(text.slice(1)) * US : Number(text) * US);
  if (word === 'pin' && rest.length === 3 && Number(rest[1]) < BUTTON_PINS.length) {
    const button = Number(rest[1]);
    const level = Number(rest[2]);
    pico.at(Math.max(now, time(rest[0])), () => {
      pico.pressed[button] = level !== 0;
      if (!options.step) print(`pin ${micros(pico.clock.nanos)} ${button} ${level}`);
    });
  } else if (word === 'run' && options.step) {
    pico.runUntil(now + Number(rest[0]) * US);
    print(`ran ${micros(pico.clock.nanos)}`);
  } else if (word === 'send' && options.step) {
    send(Buffer.from(rest.join(''), 'hex'));
  } else if (word === 'lamps') {
    const span = now - lampsSince;
    const lit = pico.takeLit().map((nanos) => (span ? Math.round((1000 * nanos) / span) : 0));
    print(`lamps ${micros(now)} ${lit.join(' ')}`);
    lampsSince = now;
  } else if (word === 'pixels') {
    print(`pixels ${micros(now)} ${pico.pixels.look().join(' ')}`);
  } else if (word === 'now') {
    print(`now ${micros(now)}`);
  } else if (word === 'reset') {
    pico.onReset();
    pico.start(pico.chip.sram);
  } else if (word === 'power') {
    pico.onReset();
    pico.start(null);
  } else if (word === 'skip') {
    pico.skip(Number(rest[0]));
  } else if (word === 'plug') {
    usb.plug();
  } else if (word === 'open') {
    usb.open(rest.length ? Number(rest[0]) : undefined);
  } else if (word === 'close') {
    usb.close();
  } else if (word === 'quit') {
    pico.over = true;
  } else if (word) {
    print(`what ${line}`);
  }
}

function guard(work) {
  try {
    work();
  } catch (error) {
    if (!(error instanceof FirmwareError)) throw error;
    print(`crashed ${micros(pico.clock.nanos)} ${error.message}`);
    pico.over = true;
  }
}

// --- running ---

async function runLockstep() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    guard(() => command(line));
    if (!/^(pin|send)/.test(line)) flush();
    if (pico.over) break;
  }
}

async function runPaced() {
  const pending = [];
  const commands = readline.createInterface({ input: process.stdin });
  commands.on('line', (line) => pending.push(line));
  commands.on('close', () => (pico.over = true)); // the parent process has ended
  const host = new tty.ReadStream(PTY);
  host.on('data', (bytes) => send(bytes));
  const speed = Number(options.speed);
  const realMicros = () => Number(process.hrtime.bigint()) / 1000;
  let began = realMicros();
  while (!pico.over) {
    while (pending.length) guard(() => command(pending.shift()));
    guard(() => pico.runUntil(pico.clock.nanos + CHUNK_US * US));
    if (toPty.length) {
      const bytes = Buffer.from(toPty);
      toPty = [];
      try {
        fs.writeSync(PTY, bytes);
      } catch (error) {
        if (error.code !== 'EAGAIN' && error.code !== 'EIO') throw error; // nobody reads: the bytes are lost
      }
    }
    flush();
    const ahead = speed > 0 ? pico.clock.nanos / US / speed - (realMicros() - began) : 0;
    if (speed > 0 && ahead < -MAX_BEHIND_US) began += -ahead;
    await new Promise((next) => (ahead > 1000 ? setTimeout(next, ahead / 1000) : setImmediate(next)));
  }
}

guard(() => {
  pico.powerOn();
  if (!usesUart) usb.plug();
});
if (options.script) for (const line of fs.readFileSync(options.script, 'utf8').split('\n')) guard(() => command(line));
print('ready');
flush();
await (options.step ? runLockstep() : runPaced());
flush();
process.exit(0);
