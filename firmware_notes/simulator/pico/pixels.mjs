// The chain of WS2812 lamps at GPIO 12. rp2040js would run the PIO in JavaScript's own time; here its program runs as soon as a
// word is handed over, and the wave that it makes is read like by a WS2812: a bit by the length of its high part.
const PIXEL_PIN = 12;
const FUNCTION_PIO0 = 6;
const PIO0 = 0x50200;
const FSTAT = 0x04;
const TXF0 = 0x10;
const TX_FULL = 1 << 16;
const FIFO_WORDS = 8;
const BITS = 24;
const LATCH_NANOS = 280_000;
// WS2812B data sheet, with the wider limits of its several makers.
const ZERO_NANOS = [200, 500];
const ONE_NANOS = [580, 1600];
const LEAST_PERIOD_NANOS = 1150;

export class PixelChain {
  constructor(pico, fail) {
    this.pico = pico;
    this.fail = fail;
    this.round = []; // of this round, or the last one: 'rrggbb'
    this.latched = [];
    this.endsAt = -Infinity; // when the last bit handed over is out
    const { chip } = pico;
    const pio = chip.peripherals[PIO0];
    this.machine = pio.machines[0];
    this.pio = pio;
    pio.run = () => {};
    const read = pio.readUint32.bind(pio);
    pio.readUint32 = (offset) => (offset === FSTAT ? (this.isFull() ? TX_FULL : 0) : read(offset));
    const write = pio.writeUint32.bind(pio);
    pio.writeUint32 = (offset, value) => {
      if (offset === TXF0) this.take(value, () => write(offset, value));
      else write(offset, value);
    };
  }

  get wordNanos() {
    const { clockDivInt, clockDivFrac } = this.machine;
    return (BITS * 10 * (clockDivInt + clockDivFrac / 256) * 1e9) / this.pico.chip.clkSys;
  }

  isFull() {
    return this.endsAt - this.pico.clock.nanos > FIFO_WORDS * this.wordNanos;
  }

  take(word, write) {
    const { pico, machine } = this;
    if (this.isFull()) this.fail('a pixel for a PIO that is full');
    if (!machine.enabled || pico.chip.gpio[PIXEL_PIN].functionSelect !== FUNCTION_PIO0)
      this.fail('a pixel for a PIO that is not connected');
    if (pico.clock.nanos - this.endsAt > LATCH_NANOS) this.latch();
    write();
    const bits = this.readWave();
    const value = parseInt(bits.join(''), 2);
    if (bits.length !== BITS || value !== word >>> 8) this.fail(`the wave says ${bits.join('')} for ${word.toString(16)}`);
    const [green, red, blue] = [value >> 16, (value >> 8) & 0xff, value & 0xff];
    this.round.push(Buffer.from([red, green, blue]).toString('hex'));
    this.endsAt = Math.max(this.endsAt, pico.clock.nanos) + this.wordNanos;
  }

  // Runs the PIO until it waits for the next word.
  readWave() {
    const { machine, pio } = this;
    const cycleNanos = this.wordNanos / BITS / 10;
    const isHigh = () => (pio.pinValues >> PIXEL_PIN) & (pio.pinDirections >> PIXEL_PIN) & 1;
    const bits = [];
    let rise = null;
    let high = null;
    for (let steps = 0; steps < 8 * BITS && !(machine.waiting && machine.txFIFO.empty && steps); steps++) {
      const was = isHigh();
      const at = machine.cycles;
      machine.step();
      if (!was && isHigh()) {
        if (rise !== null && (at - rise) * cycleNanos < LEAST_PERIOD_NANOS) this.fail('bits that follow too fast');
        rise = at;
      } else if (was && !isHigh()) {
        high = (at - rise) * cycleNanos;
        const isIn = ([least, most]) => high >= least && high <= most;
        if (!isIn(ZERO_NANOS) && !isIn(ONE_NANOS)) this.fail(`a bit that is high for ${high} ns`);
        bits.push(isIn(ONE_NANOS) ? 1 : 0);
      }
    }
    return bits;
  }

  latch() {
    if (this.round.length) this.latched = this.round;
    this.round = [];
  }

  // What the lamps show, button 0 first.
  look() {
    if (this.pico.clock.nanos - this.endsAt > LATCH_NANOS) this.latch();
    return this.latched;
  }
}
