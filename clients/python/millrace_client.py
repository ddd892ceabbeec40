"""Sends typed rows to the socket adapter of Millrace, with acknowledgements. Python 3.8 or later, no packages.

    import millrace_client as millrace

    with millrace.connect("127.0.0.1", 9001, [("symbol", "char8"), ("lastPrice", "double")], stream="desk") as sender:
        sender.send("ORCL", 31.5)
        sender.send("IBM", None)

Rows are sent when a frame is full, by flush(), and at the end of the with block. The rows of a stream with a name are
numbered over all its connections and acknowledged when a durable processor has stored them; after a loss the sender
connects again and sends the rows that are not stored, so that each is processed once. Other rows are numbered from 1
and acknowledged when the server has received them. Rows that the server rejects are acknowledged with the
rows before them.

Types: char8 (strings of at most 255 bytes in UTF-8), char16 (65535 bytes), int, bigint, float, double, boolean, and
timestamp (nanoseconds since 1970 as int, or a datetime with a time zone). None is null; so is the empty string.

A sender is confined to one thread at a time and owns its connection. A value that is refused with ValueError removes
its row, and the sender can be used further; after a SenderError it is of no further use. Sending blocks while the
server does not read, or stores no rows. PROTOCOL.md of the adapter describes the bytes.
"""

import collections
import datetime
import selectors
import socket
import ssl
import struct
import time

__all__ = ["connect", "Sender", "SenderError"]

_MAGIC = b"\x00MRF"
_VERSION = 1
_FLAG_TOKEN, _FLAG_STREAM, _FLAG_ACKNOWLEDGE = 1, 2, 8
_ACCEPTED, _REFUSED, _ACKNOWLEDGED = 0, 1, 3
_ACKNOWLEDGEMENT = struct.Struct("<q")
_MAX_TEXT_BYTES = 1024
_HEADER = struct.Struct("<IBBHq")
_MAX_ROWS = 0xFFFF
_RETRY_SECONDS = 0.1
# poll() takes milliseconds in 32 bits; callers with a later deadline wait again.
_MAX_WAIT_SECONDS = 86400.0
# select() has a limit for the numbers of sockets; poll() does not exist on Windows.
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MICROSECOND = datetime.timedelta(microseconds=1)
# Name: code, format of the value, bytes of the value or of the length of a string.
_TYPES = {
    "char8": (1, "B", 1), "char16": (2, "H", 2), "int": (3, "i", 4), "bigint": (4, "q", 8),
    "float": (5, "f", 4), "double": (6, "d", 8), "boolean": (7, "?", 1), "timestamp": (8, "q", 8)}


class SenderError(OSError):
    """The server cannot be reached, refuses the rows, or was lost. code is stable; the message has the next step."""

    def __init__(self, message):
        super().__init__(message)
        self.code = message[:8]


class _Lost(Exception):
    """The connection has ended without a refusal."""


def connect(host, port, columns, stream=None, token=None, tls=None, frame_bytes=64 << 10,
            max_unacknowledged_bytes=16 << 20, timeout=60.0):
    """Connects, and returns a Sender when the server has accepted the columns.

    columns: pairs of name and type, in the order of the properties of the adapter (eventPropertyNames).
    stream: a name that is unique among the senders of the adapter, and the same after a restart of the program.
    token: the token that the port requires.
    tls: an ssl.SSLContext, for example ssl.create_default_context(cafile="ticks.pem"); None for plain TCP.
    frame_bytes: size of a frame, at most maxFrameBytes of the adapter.
    max_unacknowledged_bytes: memory for rows of a stream with a name that are not acknowledged.
    timeout: seconds to connect, to reconnect after a loss, and to wait for acknowledgements at the end; at most a day.
    """
    return Sender(host, port, columns, stream, token, tls, frame_bytes, max_unacknowledged_bytes, timeout)


class Sender:
    """A connection, see connect(). Use it in a with block, or call close()."""

    def __init__(self, host, port, columns, stream, token, tls, frame_bytes, max_unacknowledged_bytes, timeout):
        self._address = (host, port)
        self._where = "host=%s port=%s%s" % (host, port, "" if stream is None else " stream=" + stream)
        self._columns = [(name, _checked_type(name, kind)) for name, kind in columns]
        _check("columns", len(self._columns), 1, 1024)
        _check("frame_bytes", frame_bytes, 1 << 10, 256 << 20)
        _check("max_unacknowledged_bytes", max_unacknowledged_bytes, 1, 1 << 62)
        _check("timeout", timeout, 0.001, _MAX_WAIT_SECONDS)
        self._stream = stream
        self._preamble = _preamble(self._columns, stream, token)
        self._tls = tls
        self._frame_bytes = frame_bytes
        self._max_unacknowledged_bytes = max_unacknowledged_bytes
        self._timeout = timeout
        self._rows_format = _RowFormat(self._columns)
        self._body = bytearray()
        self._body_rows = 0
        self._has_bitmaps = False
        self._unacknowledged = collections.deque()
        self._unacknowledged_bytes = 0
        self._released_rows = 0
        self._opened = time.monotonic()
        # When to give up, unless more rows are acknowledged than at the last loss.
        self._loss_deadline = 0.0
        self._rows_at_loss = -1
        self._failure = None
        self._closed = False
        self._link = _Link(self, 0, timeout)
        self._sent_rows = self._link.acknowledged

    @property
    def rows(self):
        """Number of the last row so far. After connect() it is that of the last row of the stream that is stored."""
        return self._sent_rows + self._body_rows

    @property
    def acknowledged_rows(self):
        """Number of the last row that is known to be acknowledged, with all rows before it.

        Rows at the end that the server has rejected do not count, so it may remain lower than rows.
        """
        try:
            self._link.read()
        except (_Lost, OSError):
            # The next call that sends or waits connects again, or reports the loss.
            pass
        return self._link.acknowledged

    def send(self, *values):
        """Adds a row with one value for each column. Raises ValueError for values that are not of their types."""
        self._check_usable()
        row, has_nulls = self._rows_format.encode(values, self._has_bitmaps)
        size = len(row) + _HEADER.size
        if size > self._frame_bytes:
            raise ValueError("CLN-0106 a row does not fit a frame, frameBytes=%d; raise frame_bytes of the sender, up "
                             "to maxFrameBytes of the adapter, or shorten its strings" % self._frame_bytes)
        if self._body_rows and (len(self._body) + size > self._frame_bytes or has_nulls != self._has_bitmaps or
                                self._body_rows == _MAX_ROWS):
            self.flush()
        # From the first null on, all rows have a bitmap.
        self._has_bitmaps = has_nulls
        self._body += row
        self._body_rows += 1

    def flush(self):
        """Sends the rows that were added. Does not wait for their acknowledgement."""
        self._check_usable()
        if not self._body_rows:
            return
        if self._stream is not None:
            self._await_memory(_HEADER.size + len(self._body))
        rows = self._body_rows
        frame = _frame(self._body, rows, self._has_bitmaps, time.time_ns())
        try:
            self._body = bytearray()
            self._body_rows = 0
            if self._stream is not None:
                self._unacknowledged.append((self._sent_rows + 1, rows, frame))
                self._unacknowledged_bytes += len(frame)
            self._sent_rows += rows
            self._link.write(frame)
        except _Lost as lost:
            self._recover(lost)
        except BaseException:
            # For example KeyboardInterrupt: no frame may follow one that was written only in part.
            self._link.close()
            raise

    def await_acknowledgements(self, timeout):
        """Sends the rows that were added, and waits until all are acknowledged; False after timeout seconds.

        A connection that is lost may add the timeout of the sender.
        """
        self.flush()
        deadline = time.monotonic() + timeout
        while self._link.acknowledged < self._sent_rows:
            if not self._await_more(deadline) and time.monotonic() >= deadline:
                return False
        self._release()
        return True

    def close(self):
        """Sends the rows that were added, waits until they are acknowledged, and closes the connection."""
        if self._closed:
            return
        try:
            if self._failure is None and not self.await_acknowledgements(self._timeout):
                raise SenderError(
                    "CLN-0303 the server has not acknowledged all rows, %s rows=%d acknowledged=%d; check the state of "
                    "the application, or raise the timeout of the sender"
                    % (self._where, self._sent_rows, self._link.acknowledged))
        finally:
            self._closed = True
            self._link.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.close()
        elif not self._closed:
            # The exception of the block is more useful than that of closing.
            self._closed = True
            self._link.close()

    def _check_usable(self):
        if self._closed:
            raise ValueError("CLN-0107 the sender is closed, %s; create another one" % self._where)
        if self._failure is not None:
            raise self._failure

    def _poll(self):
        """Reads acknowledgements that have arrived."""
        try:
            self._link.read()
        except _Lost as lost:
            self._recover(lost)

    def _await_more(self, deadline):
        known = self._link.acknowledged
        try:
            self._link.await_more(deadline)
        except _Lost as lost:
            self._recover(lost)
        return self._link.acknowledged > known

    def _await_memory(self, size):
        self._poll()
        self._release()
        while self._unacknowledged and self._unacknowledged_bytes + size > self._max_unacknowledged_bytes:
            self._await_more(time.monotonic() + self._timeout)
            self._release()

    def _release(self):
        acknowledged = self._link.acknowledged
        if acknowledged > self._sent_rows:
            self._failure = self._other_rows(acknowledged, acknowledged)
            raise self._failure
        frames = self._unacknowledged
        while frames and frames[0][0] + frames[0][1] - 1 <= acknowledged:
            first, rows, frame = frames.popleft()
            self._released_rows = first + rows - 1
            self._unacknowledged_bytes -= len(frame)

    def _recover(self, lost):
        """Connects again and sends what is not stored, if the stream has a name."""
        try:
            self._link.close()
            if self._link.refusal is not None:
                raise self._link.refusal
            if self._stream is None:
                raise SenderError(
                    "CLN-0301 the connection is lost, %s rows=%d acknowledged=%d cause=%s; create another sender; with "
                    "the name of a stream nothing would be lost"
                    % (self._where, self._sent_rows, self._link.acknowledged, lost))
            self._reconnect()
        except SenderError as error:
            self._failure = error
            raise
        except BaseException:
            # For example KeyboardInterrupt: no frame may follow those that were not sent again.
            self._link.close()
            raise

    def _reconnect(self):
        known = max(self._link.acknowledged, self._released_rows)
        if (known > self._rows_at_loss or known == self._sent_rows or
                time.monotonic() - self._opened >= self._timeout):
            self._progressed(known)
        while True:
            if time.monotonic() >= self._loss_deadline:
                raise self._given_up("it ends each connection")
            self._link = self._open(known, self._loss_deadline)
            self._opened = time.monotonic()
            stored = self._link.acknowledged
            if stored < known or stored > self._sent_rows:
                raise self._other_rows(known, stored)
            if stored > self._rows_at_loss:
                self._progressed(stored)
            try:
                self._release()
                for first, rows, frame in list(self._unacknowledged):
                    done = max(0, stored + 1 - first)
                    self._link.write(self._rows_format.without(frame, rows, done) if done else frame)
                return
            except _Lost:
                self._link.close()
                if self._link.refusal is not None:
                    raise self._link.refusal

    def _progressed(self, acknowledged):
        self._rows_at_loss = acknowledged
        self._loss_deadline = time.monotonic() + self._timeout

    def _given_up(self, reason):
        return SenderError(
            "CLN-0302 the server was lost and cannot be reached again, %s rows=%d acknowledged=%d cause=%s; start the "
            "server, then start the program again after the stored rows"
            % (self._where, self._sent_rows, self._link.acknowledged, reason))

    def _other_rows(self, acknowledged, stored):
        return SenderError(
            "CLN-0304 the server has not stored the rows that it acknowledged, or rows of another sender, %s "
            "acknowledged=%d stored=%d rows=%d; give each sender another name, and check whether the state of the "
            "processor was deleted" % (self._where, acknowledged, stored, self._sent_rows))

    def _open(self, acknowledged, deadline):
        while True:
            # The server may end each connection at once.
            time.sleep(_RETRY_SECONDS)
            try:
                return _Link(self, acknowledged, max(_RETRY_SECONDS, deadline - time.monotonic()))
            except SenderError as error:
                if time.monotonic() >= deadline:
                    raise self._given_up(error) from error


class _Link:
    """One connection that the server has accepted. The socket does not block: each wait also reads acknowledgements."""

    def __init__(self, sender, acknowledged, timeout):
        self.acknowledged = 0
        self.refusal = None
        self._is_accepted = False
        self._where = sender._where
        self._received = bytearray()
        deadline = time.monotonic() + timeout
        self._socket = None
        try:
            self._connect(sender, timeout, deadline)
            self._shake_hands(sender, acknowledged, deadline)
        except BaseException:
            self.close()
            raise

    def _connect(self, sender, timeout, deadline):
        try:
            self._socket = socket.create_connection(sender._address, timeout)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        except OSError as error:
            raise SenderError("CLN-0201 cannot connect, %s cause=%s; start the server and its application, and check "
                              "host and port" % (self._where, error)) from error
        if sender._tls is not None:
            try:
                self._socket.settimeout(max(0.001, deadline - time.monotonic()))
                self._socket = sender._tls.wrap_socket(self._socket, server_hostname=sender._address[0])
            except OSError as error:
                raise SenderError("CLN-0204 the TLS handshake with the server failed, %s cause=%s; check that the "
                                  "adapter has a keyStore, and that its certificate is trusted and names the host"
                                  % (self._where, error)) from error
        self._socket.setblocking(False)

    def _shake_hands(self, sender, acknowledged, deadline):
        try:
            number = b"" if sender._stream is None else struct.pack("<q", acknowledged)
            self._write(sender._preamble + number, deadline)
            head = self._take(3, deadline)
            if head[0] not in (_ACCEPTED, _REFUSED):
                raise _Lost("the response is not that of a socket adapter, firstByte=%d" % head[0])
            length = head[1] | head[2] << 8
            if length > _MAX_TEXT_BYTES:
                raise _Lost("the response is not that of a socket adapter, bytes=%d" % length)
            text = self._take(length, deadline)
            if head[0] == _REFUSED:
                raise self._refused(text)
            if sender._stream is not None:
                self.acknowledged = struct.unpack("<q", self._take(8, deadline))[0]
                if self.acknowledged < 0:
                    raise _Lost("the response is not that of a socket adapter, stored=%d" % self.acknowledged)
            self._check_names(sender, text)
            self._is_accepted = True
            self._parse()
            # Rows may come much later than the adapter expects the first frame.
            self._write(_frame(b"", 0, False, time.time_ns()), deadline)
        except _Lost as lost:
            raise SenderError("CLN-0202 the server does not respond, %s cause=%s; check that an application with a "
                              "socket adapter runs on that port, and if it needs TLS" % (self._where, lost)) from lost

    def _check_names(self, sender, text):
        listed = text.decode("utf-8", "replace").split(",")
        # The server lists as many properties as fit.
        complete = len(listed) - 1 if len(text) == _MAX_TEXT_BYTES else len(listed)
        for i, (name, _) in enumerate(sender._columns[:complete]):
            if not listed[i].startswith(name + ":"):
                raise SenderError("CLN-0205 a column has another name than its property, %s column=%d name=%s "
                                  "properties=%s; declare the columns in the order of the properties"
                                  % (self._where, i + 1, name, ",".join(listed)))

    def _refused(self, text):
        return SenderError("CLN-0203 the server refuses the rows, %s response: %s"
                           % (self._where, bytes(text).decode("utf-8", "replace")))

    def write(self, frame):
        """Writes a frame; blocks while the server does not read."""
        self._write(frame, None)
        self._check_refusal()

    def read(self):
        """Reads what has arrived, without waiting."""
        while self.refusal is None and self._receive():
            pass
        self._check_refusal()

    def _check_refusal(self):
        if self.refusal is not None:
            raise _Lost("refused by the server")

    def await_more(self, deadline):
        """Waits until more rows are acknowledged, or the deadline."""
        known = self.acknowledged
        self.read()
        while self.acknowledged == known and self._wait(False, deadline):
            self.read()

    def close(self):
        if self._socket is not None:
            self._socket.close()

    def _write(self, data, deadline):
        view = memoryview(data)
        while len(view):
            try:
                view = view[self._socket.send(view):]
            except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
                if not self._wait(True, deadline):
                    raise _Lost("no response in time")
                self._receive()
            except OSError as error:
                self._read_refusal()
                raise _Lost(str(error)) from error

    def _take(self, count, deadline):
        """Waits for bytes of the response to the preamble."""
        while len(self._received) < count:
            if not self._receive() and not self._wait(False, deadline):
                raise _Lost("no response in time")
        taken = bytes(self._received[:count])
        del self._received[:count]
        return taken

    def _wait(self, is_writing, deadline):
        left = None if deadline is None else min(_MAX_WAIT_SECONDS, max(0.0, deadline - time.monotonic()))
        with _Selector() as selector:
            selector.register(self._socket, selectors.EVENT_READ | (selectors.EVENT_WRITE if is_writing else 0))
            return bool(selector.select(left))

    def _receive(self):
        """Reads once; False if nothing has arrived."""
        try:
            data = self._socket.recv(64 << 10)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        except OSError as error:
            raise _Lost(str(error)) from error
        if not data:
            raise _Lost("closed by the server")
        self._received += data
        if self._is_accepted:
            self._parse()
        return True

    def _read_refusal(self):
        """Reads the reason for which the server has closed the connection, if it has arrived."""
        try:
            while self.refusal is None and self._receive():
                pass
        except _Lost:
            # The end of the connection, whose cause the caller has.
            pass

    def _parse(self):
        """Evaluates acknowledgements and a refusal, after which the server closes the connection."""
        received = self._received
        while len(received) >= 3 and self.refusal is None:
            status, length = received[0], received[1] | received[2] << 8
            if (status == _ACKNOWLEDGED and length != _ACKNOWLEDGEMENT.size or
                    status == _REFUSED and length > _MAX_TEXT_BYTES or status not in (_ACKNOWLEDGED, _REFUSED)):
                raise _Lost("the response is not that of a socket adapter, status=%d bytes=%d" % (status, length))
            if len(received) < 3 + length:
                return
            if status == _ACKNOWLEDGED:
                self.acknowledged = max(self.acknowledged, _ACKNOWLEDGEMENT.unpack_from(received, 3)[0])
            else:
                self.refusal = self._refused(received[3:3 + length])
            del received[:3 + length]


class _RowFormat:
    """Converts rows to bytes."""

    def __init__(self, columns):
        self._names = [name for name, _ in columns]
        self._types = [kind for _, kind in columns]
        self._bitmap_bytes = (len(columns) + 7) // 8
        self._nulls = [b"\0" * _TYPES[kind][2] for kind in self._types]
        self._encoders = [_encoder(kind) for kind in self._types]

    def encode(self, values, has_bitmap):
        """Returns the bytes of a row, and whether they begin with a bitmap of nulls."""
        if len(values) != len(self._types):
            difference = "few" if len(values) < len(self._types) else "many"
            raise ValueError("CLN-0103 a row has too %s values, expected=%d actual=%d; add a value or None for each "
                             "column" % (difference, len(self._types), len(values)))
        parts = []
        bits = 0
        for i, value in enumerate(values):
            if value is None:
                bits |= 0 if self._types[i] in ("char8", "char16") else 1 << i
                parts.append(self._nulls[i])
                continue
            try:
                parts.append(self._encoders[i](value))
            except (struct.error, TypeError, OverflowError, UnicodeEncodeError, _WrongValue) as error:
                raise ValueError("CLN-0102 a value is not of the type of its column, column=%s expected=%s "
                                 "actual=%.80r cause=%s; correct it"
                                 % (self._names[i], self._types[i], value, error)) from error
        if bits or has_bitmap:
            parts.insert(0, bits.to_bytes(self._bitmap_bytes, "little"))
            has_bitmap = True
        return b"".join(parts), has_bitmap

    def without(self, frame, rows, count):
        """Returns a frame without its first rows."""
        _, _, flags, _, due = _HEADER.unpack_from(frame)
        position = _HEADER.size
        for _ in range(count):
            position += self._bitmap_bytes if flags else 0
            for kind in self._types:
                _, form, size = _TYPES[kind]
                position += size
                if form in "BH":
                    position += struct.unpack_from("<" + form, frame, position - size)[0]
        return _frame(frame[position:], rows - count, flags != 0, due)


class _WrongValue(Exception):
    pass


def _encoder(kind):
    _, form, size = _TYPES[kind]
    pack = struct.Struct("<" + form).pack
    if kind in ("char8", "char16"):
        max_bytes = (1 << 8 * size) - 1

        def encode_text(value):
            if not isinstance(value, str):
                raise _WrongValue("not a string")
            data = value.encode("utf-8")
            if len(data) > max_bytes:
                raise _WrongValue("%d bytes, max=%d" % (len(data), max_bytes))
            return pack(len(data)) + data
        return encode_text
    if kind == "boolean":
        def encode_boolean(value):
            if not isinstance(value, bool):
                raise _WrongValue("not a boolean")
            return pack(value)
        return encode_boolean
    if kind == "timestamp":
        def encode_time(value):
            if isinstance(value, datetime.datetime):
                if value.tzinfo is None:
                    raise _WrongValue("no time zone")
                value = (value - _EPOCH) // _MICROSECOND * 1000
            return pack(value)
        return encode_time

    def encode_number(value):
        if isinstance(value, bool):
            raise _WrongValue("not a number")
        return pack(value)
    return encode_number


def _frame(body, rows, has_bitmaps, due):
    return _HEADER.pack(_HEADER.size - 4 + len(body), _VERSION, 1 if has_bitmaps else 0, rows, due) + bytes(body)


def _preamble(columns, stream, token):
    flags = _FLAG_ACKNOWLEDGE
    flags |= 0 if token is None else _FLAG_TOKEN
    flags |= 0 if stream is None else _FLAG_STREAM
    codes = bytes(_TYPES[kind][0] for _, kind in columns)
    parts = [_MAGIC, struct.pack("<BBH", _VERSION, flags, len(columns)), codes]
    for name, text, limit in (("token", token, 512), ("stream", stream, 128)):
        if text is not None:
            data = text.strip().encode("utf-8") if name == "token" else text.encode("utf-8")
            _check(name, len(data), 1, limit)
            parts.append(struct.pack("<H", len(data)) + data)
    return b"".join(parts)


def _checked_type(name, kind):
    if kind not in _TYPES:
        raise ValueError("CLN-0108 unknown type of a column, column=%s type=%s; use one of %s"
                         % (name, kind, ", ".join(_TYPES)))
    return kind


def _check(name, value, low, high):
    if not low <= value <= high:
        raise ValueError("CLN-0101 a setting is out of range, name=%s value=%s min=%s max=%s; correct it"
                         % (name, value, low, high))
