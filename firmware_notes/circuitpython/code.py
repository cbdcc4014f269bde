"""A button box in CircuitPython 8 or later, for boards with USB of their own: RP2040, RP2350, ESP32-S3 and others.

Copy this file onto the drive CIRCUITPY twice, as `boot.py` and as `code.py`, then plug the board in again. Each button
connects its pin to ground; any button or lamp may be left out. The pins are those of WIRINGS, or name others here. The
protocol is in ../protocol.md.
"""

import os
import struct
import time

import board
import digitalio
import keypad
import supervisor
import usb_cdc

BUTTON_PINS = None
"""Ten names of pins, as in ("GP2", "GP3", ...): seats 1 to 6, OK, NO, PLUS, MINUS. None: the first of WIRINGS."""
LAMP_PINS = None
"""Ten names of the pins of plain lamps, in the same order, lit by a 1; () for no such lamps."""
PIXEL_PIN = None
"""Name of the pin of a chain of WS2812 (NeoPixel), the first for seat 1; "" for none."""
PIXELS_PER_BUTTON = 1

WIRINGS = (
    ("GP", (2, 3, 4, 5, 6, 7, 8, 9, 10, 11), (16, 17, 18, 19, 20, 21, 22, 26, 27, 28), 12),  # Pico, Pico 2, RP2040-Zero
    ("IO", (4, 5, 6, 7, 8, 9, 10, 11, 12, 13), (15, 16, 17, 18, 21, 39, 40, 41, 42, 47), 14),  # ESP32-S3
    ("D", (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), (14, 15, 16, 17, 18, 19, 20, 21, 22, 23), 10),  # XIAO, Teensy 4
)
"""Names of pins by board: their beginning, the buttons, the plain lamps, the WS2812. A board without a lamp's pin has
no plain lamps."""

MAKER, PRODUCT = "companion", "button box"
"""By this name the companion finds the box."""
FIRMWARE = (1, 2, 0)
PROTOCOL_VERSION = 1
BUTTONS = 10
QUEUE_LENGTH = 128
SCAN_EVENTS = 512
"""Changes that the keypad keeps while this program is busy, bounces included: half a second of ten players."""
TICK_HZ = 1_000_000
RESOLUTION = 110
"""Tenths of a millisecond. A stamp is the whole millisecond of the first scan that found the button closed: up to 1 ms
early, and late by the scans, 1 ms apart, at which a bouncing contact was open: as long as it bounces, 10 ms at most.
It is the sum of both: presses that are closer together may be stamped in the wrong order."""

SCAN_SECONDS = 0.001
CONFIRM_MS = 8
"""A change is decided so long after its first edge: it counts if the button had its new level for MIN_CONTACT_MS."""
MIN_CONTACT_MS = 2
LOCKOUT_MS = 20
WINDOW = 8
FIRST_RESEND_MS, MAX_RESEND_MS = 60, 480
LEVELS_MS = 500
SAME_HOST_MS = 3000
LAMPS_OFF_MS = 5000
FORGET_MS = 1_800_000
LAMPS_STEP_MS = 20
BRIGHTEST = 85
"""Largest value of a WS2812's channel, a third of its light: USB can feed ten of them."""
TICKS_PERIOD = 1 << 29
"""`supervisor.ticks_ms` starts again at 0. Times 1000 this is a multiple of 2**32: ticks go on across it."""

ACK, EVENT, LOST, LAMPS, COLOURS = 0x01, 0x10, 0x11, 0x20, 0x21
PING, PONG, HELLO, WELCOME, LEVELS = 0x82, 0x83, 0x90, 0x91, 0x92
OFF, ON, SLOW, FAST, BREATHING = range(5)


def prepare_usb():
    """Give the board one serial port and its name, which only boot.py can; return whether this is boot.py."""
    if hasattr(supervisor, "set_usb_identification"):
        supervisor.set_usb_identification(MAKER, PRODUCT)
    try:
        usb_cdc.enable(console=False, data=True)
    except RuntimeError:
        return False
    for name in ("usb_hid", "usb_midi"):  # it is no keyboard; an ESP32-S3 has too few endpoints for all
        try:  # noqa: SIM105  # CircuitPython has no contextlib
            __import__(name).disable()
        except ImportError:
            pass
    return True


def compute_crc(data):
    """Return CRC-16/CCITT-FALSE of a payload, as in firmware/frame.c."""
    crc = 0xFFFF
    for byte in data:
        crc = (crc >> 8 | crc << 8) & 0xFFFF ^ byte
        crc ^= (crc & 0xFF) >> 4
        crc ^= crc << 12 & 0xFFFF
        crc ^= (crc & 0xFF) << 5
    return crc


def encode_frame(kind, seq, body):
    """Return a frame for the wire: COBS of type, seq, body and CRC, then a zero."""
    payload = bytes((kind, seq)) + body
    payload += struct.pack("<H", compute_crc(payload))
    return b"".join(bytes((len(part) + 1,)) + part for part in payload.split(b"\0")) + b"\0"


def decode_frame(encoded):
    """Return the payload between two zeros, without its CRC; None if it is damaged."""
    payload, at = bytearray(), 0
    while at < len(encoded):
        code = encoded[at]
        if at + code > len(encoded):
            return None
        payload += encoded[at + 1 : at + code]
        at += code
        if at < len(encoded):
            payload.append(0)
    if len(payload) < 4:
        return None
    payload = bytes(payload)
    return payload[:-2] if struct.unpack("<H", payload[-2:])[0] == compute_crc(payload[:-2]) else None


def choose_pins():
    """Return the pins of the buttons, of the plain lamps (or none) and of the WS2812 (or None)."""
    buttons, lamps, pixel = BUTTON_PINS, LAMP_PINS, PIXEL_PIN
    for prefix, button_numbers, lamp_numbers, pixel_number in WIRINGS:
        names = [prefix + str(number) for number in button_numbers]
        if buttons is None and all(hasattr(board, name) for name in names):
            buttons = names
            lamps = [prefix + str(number) for number in lamp_numbers] if lamps is None else lamps
            pixel = prefix + str(pixel_number) if pixel is None else pixel
    if buttons is None:
        raise RuntimeError("This board has other names for its pins: write them into BUTTON_PINS")
    lamps = lamps or ()
    if not all(hasattr(board, name) for name in lamps):
        lamps = ()
    return (
        [getattr(board, name) for name in buttons],
        [getattr(board, name) for name in lamps],
        getattr(board, pixel) if pixel and hasattr(board, pixel) else None,
    )


class Clock:
    """Milliseconds of the keypad's stamps and microseconds of ticks, both from 0 at the start of the box."""

    def __init__(self):
        self._last = supervisor.ticks_ms()
        self.ms = 0
        # Both clocks are one: a millisecond begins where their difference is least. It takes 128 scans to go round, and
        # many looks to meet that moment on a board that does something else meanwhile.
        self._zero, looks = None, 0
        while self.update() < 130 or looks < 1000:
            looks += 1
            ahead = time.monotonic_ns() // 1000 - 1000 * self.ms
            self._zero = ahead if self._zero is None else min(self._zero, ahead)

    def update(self):
        """Return the milliseconds now."""
        ticks = supervisor.ticks_ms()
        self.ms += (ticks - self._last) % TICKS_PERIOD
        self._last = ticks
        return self.ms

    def convert(self, timestamp):
        """Return the milliseconds of a value of `supervisor.ticks_ms`, a little before or after the last `update`."""
        half = TICKS_PERIOD // 2
        return self.ms + (timestamp - self._last + half) % TICKS_PERIOD - half

    def read_tick(self):
        """Return the tick now."""
        return time.monotonic_ns() // 1000 - self._zero & 0xFFFFFFFF


class Inputs:
    """Ten buttons, scanned in the background. A change has the time of its first edge, as in firmware/debounce.c."""

    def __init__(self, pins, clock):
        self._pins, self._clock = pins, clock
        self._event = keypad.Event()
        self._raw, self._raw_at = self._start_scan(), [0] * BUTTONS
        self._since, self._contact = [None] * BUTTONS, [0] * BUTTONS  # of a change that is not decided
        self._locked_until = [0] * BUTTONS
        self.levels = 0
        self.has_lost = False  # changes were lost: the keypad's queue was full

    def _start_scan(self):
        """Start the keypad; return which buttons are down: from CircuitPython 9 on it reports only what changes."""
        lines = [digitalio.DigitalInOut(pin) for pin in self._pins]
        for line in lines:
            line.switch_to_input(pull=digitalio.Pull.UP)
        time.sleep(SCAN_SECONDS)  # long leads take a moment
        down = [not line.value for line in lines]
        for line in lines:
            line.deinit()
        self._keys = keypad.Keys(
            self._pins, value_when_pressed=False, pull=True, interval=SCAN_SECONDS, max_events=SCAN_EVENTS
        )
        return down

    def read_held(self):
        """Return the buttons that are down at the start; they count as reported."""
        held = [number for number in range(BUTTONS) if self._raw[number]]
        for number in held:
            self.levels |= 1 << number
        return held

    def poll(self):
        """Return what was decided since the last call, in its order: (milliseconds, button, levels after it)."""
        now = self._clock.update()
        decided = []
        events = self._keys.events
        while events.get_into(self._event):
            at = self._clock.convert(self._event.timestamp)
            self._decide(at, decided)
            self._change(self._event.key_number, self._event.pressed, at)
        if events.overflowed:
            self._keys.deinit()
            for number, is_down in enumerate(self._start_scan()):
                self._change(number, is_down, now)
            self.has_lost = True
        self._decide(now - 2, decided)  # a scan of the last millisecond may come late
        return decided

    def _change(self, number, is_down, at):
        was_new = self._raw[number] != bool(self.levels >> number & 1)
        if was_new and self._since[number] is not None:
            self._contact[number] += max(0, at - max(self._raw_at[number], self._since[number]))
        self._raw[number], self._raw_at[number] = is_down, at
        self._begin(number, at)

    def _begin(self, number, at):
        is_new = self._raw[number] != bool(self.levels >> number & 1)
        if is_new and self._since[number] is None and at >= self._locked_until[number]:
            self._since[number], self._contact[number] = max(self._raw_at[number], self._locked_until[number]), 0

    def _decide(self, until, decided):
        while True:
            first = None
            for number in range(BUTTONS):
                self._begin(number, until)
                since = self._since[number]
                if since is not None and since + CONFIRM_MS <= until and (first is None or since < self._since[first]):
                    first = number
            if first is None:
                return
            since = self._since[first]
            contact = self._contact[first]
            if self._raw[first] != bool(self.levels >> first & 1):
                contact += since + CONFIRM_MS - max(self._raw_at[first], since)
            self._since[first] = None
            if contact >= MIN_CONTACT_MS:
                self.levels ^= 1 << first
                self._locked_until[first] = since + LOCKOUT_MS
                decided.append((since, first, self.levels))


class Lamps:
    """Ten lamps: plain ones at pins, dimmed where the board can, and a chain of WS2812."""

    def __init__(self, pins, pixel_pin):
        self.can_dim = False
        self._pwm, self._digital, self._pixels = [], [], None
        self._open_plain(pins)
        if pixel_pin is not None:
            self._open_pixels(pixel_pin)
        self.capabilities = 0
        if pins or self._pixels:
            self.capabilities = 1 | (2 if self.can_dim else 0) | (4 if self._pixels else 0)
        self.effects, self.colours = bytes(BUTTONS), b"\xff" * (3 * BUTTONS)
        self._shown = None

    def _open_plain(self, pins):
        try:
            import pwmio

            for pin in pins:
                self._pwm.append(pwmio.PWMOut(pin, frequency=500))
            self.can_dim = bool(pins)
        except (ImportError, RuntimeError, ValueError):  # no PWM at that pin, or all of them are used
            for output in self._pwm:
                output.deinit()
            self._pwm = []
            for pin in pins:
                output = digitalio.DigitalInOut(pin)
                output.switch_to_output(False)
                self._digital.append(output)

    def _open_pixels(self, pin):
        try:
            import neopixel_write
        except ImportError:
            return
        self._write_pixels = neopixel_write.neopixel_write
        self._pixels = digitalio.DigitalInOut(pin)
        self._pixels.switch_to_output(False)
        self.can_dim = True

    def show(self, now):
        """Show the effects at a time in milliseconds; write only what has changed."""
        levels = bytes(_compute_level(effect, now) for effect in self.effects)
        if (levels, self.colours) == self._shown:
            return
        self._shown = (levels, self.colours)
        for output, level in zip(self._pwm, levels):  # noqa: B905  # CircuitPython's zip has no strict
            output.duty_cycle = 257 * level
        for output, level in zip(self._digital, levels):  # noqa: B905  # as above
            output.value = level >= 128
        if self._pixels is not None:
            data = bytearray()
            for number in range(BUTTONS):
                red, green, blue = self.colours[3 * number : 3 * number + 3]
                scale = levels[number] * BRIGHTEST // PIXELS_PER_BUTTON
                pixel = bytes((green * scale // 65025, red * scale // 65025, blue * scale // 65025))
                data += pixel * PIXELS_PER_BUTTON
            self._write_pixels(self._pixels, data)


def _compute_level(effect, now):
    if effect == SLOW:
        return 255 if now % 1000 < 500 else 0
    if effect == FAST:
        return 255 if now % 250 < 125 else 0
    if effect == BREATHING:
        half = now % 4000
        half = min(half, 4000 - half)
        return 8 + 247 * half * half // 4_000_000
    return 255 if effect == ON else 0


class Box:
    """The conversation with the host, as in firmware/link.c."""

    def __init__(self, port):
        button_pins, lamp_pins, pixel_pin = choose_pins()
        self._port = port
        port.timeout = port.write_timeout = 0
        self._clock = Clock()
        self._inputs = Inputs(button_pins, self._clock)
        self._lamps = Lamps(lamp_pins, pixel_pin)
        self._boot = None
        self._is_open, self._nonce = False, 0
        self._last_frame_at = self._levels_at = self._lamps_at = 0
        self._queue, self._next_id, self._lost = [], 0, 0
        self._first_seq = self._in_flight = self._expected = 0
        self._sent_at, self._resend_ms = 0, FIRST_RESEND_MS
        self._welcome_nonce, self._ack_due = None, False
        self._partial, self._out = b"", b""
        levels = 0
        for number in self._inputs.read_held():
            levels |= 1 << number
            self._push(0, number, levels)

    def step(self):
        """Do what is to be done now."""
        for at, number, levels in self._inputs.poll():
            self._push(1000 * at & 0xFFFFFFFF, number, levels)
        now = self._clock.ms
        if self._inputs.has_lost:
            self._inputs.has_lost = False
            self._lost += 1
        if self._port.connected:
            self._receive(now)
            self._send(now)
        elif self._is_open or self._out:
            self._is_open, self._partial, self._out = False, b"", b""
            self._port.reset_output_buffer()
        if now - self._last_frame_at >= LAMPS_OFF_MS:
            self._lamps.effects = bytes(BUTTONS)
        if now - self._last_frame_at >= FORGET_MS:  # an old tick could be taken for one of the clock's next turn
            self._is_open, self._queue, self._in_flight = False, [], 0
        if now - self._lamps_at >= LAMPS_STEP_MS:
            self._lamps_at = now
            self._lamps.show(now)

    def _push(self, tick, number, levels):
        if len(self._queue) + (self._lost > 0) >= QUEUE_LENGTH:
            self._lost += 1
            return
        self._queue_loss()
        self._queue.append((EVENT, struct.pack("<HBBIH", self._next_id, number, levels >> number & 1, tick, levels)))
        self._next_id = self._next_id + 1 & 0xFFFF

    def _queue_loss(self):
        if self._lost and len(self._queue) < QUEUE_LENGTH:
            self._queue.append((LOST, struct.pack("<H", min(self._lost, 0xFFFF))))
            self._lost = 0

    # Receiving.

    def _receive(self, now):
        waiting = self._port.in_waiting
        if not waiting:
            return
        data = self._port.read(waiting)
        tick = self._clock.read_tick()
        frames = (self._partial + data).split(b"\0")
        self._partial = frames.pop()[:64]  # noise without a zero must not fill the memory
        for encoded in frames:
            payload = decode_frame(encoded)
            if payload is not None:
                self._handle(payload[0], payload[1], payload[2:], tick, now)

    def _handle(self, kind, seq, body, tick, now):
        if kind == HELLO and len(body) >= 3:
            self._handle_hello(body, tick, now)
        elif kind == PING and len(body) == 4:
            if not self._out:  # else its tick would be wrong
                self._write(encode_frame(PONG, 0, body + struct.pack("<II", tick, self._clock.read_tick())))
        elif kind == ACK and len(body) == 1:
            number = body[0] - self._first_seq & 0xFF
            if self._is_open and 0 < number <= self._in_flight:
                del self._queue[:number]
                self._first_seq, self._in_flight = body[0], self._in_flight - number
                self._resend_ms, self._sent_at = FIRST_RESEND_MS, now
        elif kind in (LAMPS, COLOURS) and len(body) == (BUTTONS if kind == LAMPS else 3 * BUTTONS):
            self._handle_lamps(kind, seq, body)
        else:
            return
        self._last_frame_at = now

    def _handle_hello(self, body, tick, now):
        nonce = struct.unpack("<H", body[1:3])[0]
        if self._boot is None:
            try:
                self._boot = struct.unpack("<I", os.urandom(4))[0]
            except NotImplementedError:  # no source of random numbers in this chip: the host's
                self._boot = nonce << 16 ^ tick
        self._welcome_nonce = nonce
        if body[0] != PROTOCOL_VERSION:
            self._is_open = False
            return
        if self._is_open and nonce == self._nonce and now - self._last_frame_at < SAME_HOST_MS:
            return
        self._is_open, self._nonce = True, nonce
        self._first_seq = self._in_flight = self._expected = 0
        self._resend_ms, self._ack_due, self._levels_at = FIRST_RESEND_MS, False, now

    def _handle_lamps(self, kind, seq, body):
        if not self._is_open:
            return
        self._ack_due = True
        if seq != self._expected:
            return
        self._expected = self._expected + 1 & 0xFF
        if kind == COLOURS:
            self._lamps.colours = body
        elif max(body) <= BREATHING:
            self._lamps.effects = body

    # Sending.

    def _write(self, data):
        self._out += data
        self._out = self._out[self._port.write(self._out) or 0 :]

    def _send(self, now):
        if self._out:
            self._write(b"")
        while not self._out:
            frame = self._make_next(now)
            if frame is None:
                return
            self._write(frame)

    def _make_next(self, now):
        if self._welcome_nonce is not None:
            nonce, self._welcome_nonce = self._welcome_nonce, None
            capabilities = self._lamps.capabilities | RESOLUTION << 8
            body = struct.pack("<BHBBB", PROTOCOL_VERSION, nonce, FIRMWARE[0], FIRMWARE[1], FIRMWARE[2])
            body += struct.pack("<IHBBI", self._boot, capabilities, BUTTONS, QUEUE_LENGTH, TICK_HZ)
            return b"\0" + encode_frame(WELCOME, 0, body)
        if self._ack_due:
            self._ack_due = False
            return encode_frame(ACK, 0, bytes((self._expected,)))
        if not self._is_open:
            return None
        self._queue_loss()
        if self._in_flight and now - self._sent_at >= self._resend_ms:
            self._in_flight = 0  # go back and send all of them again
            self._resend_ms = min(2 * self._resend_ms, MAX_RESEND_MS)
        if self._in_flight < min(len(self._queue), WINDOW):
            if self._in_flight == 0:
                self._sent_at = now
            kind, body = self._queue[self._in_flight]
            self._in_flight += 1
            return encode_frame(kind, self._first_seq + self._in_flight - 1 & 0xFF, body)
        if not self._queue and now - self._levels_at >= LEVELS_MS:
            self._levels_at = now
            return encode_frame(LEVELS, 0, struct.pack("<HI", self._inputs.levels, self._clock.read_tick()))
        return None


def main():
    """Run the box for ever."""
    if usb_cdc.data is None:
        raise RuntimeError("Copy this file as boot.py, too, and plug the board in again")
    if hasattr(supervisor, "runtime"):
        supervisor.runtime.autoreload = False  # a computer that looks at the drive must not restart the box
    box = Box(usb_cdc.data)
    while True:
        box.step()


if not prepare_usb():
    main()
