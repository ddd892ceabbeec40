package dev.millrace.adapter.common.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads the members of a JSON object (RFC 8259, nothing beyond it) from bytes that are valid UTF-8. Confined to one
 * thread. Allocates only for names with escapes, and while its buffer for strings with escapes grows.
 *
 * <pre>
 *   reader.begin(bytes, from, to);
 *   while (reader.next())
 *       use reader.name...() and reader.value...()
 *   reader.isBroken() ? it was no object : use the object
 * </pre>
 */
final class JsonObjectReader
{
    /** The kinds of values. */
    enum Kind
    {
        STRING,
        NUMBER,
        TRUE,
        FALSE,
        NULL,
        /** An object or array, which was validated and skipped. */
        NESTED
    }

    /** Objects and arrays that are nested deeper are refused. */
    static final int MAX_DEPTH = 255;

    private static final int BROKEN = -1;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x80 * ONES;
    private static final int FIRST_PRINTABLE = 0x20;

    private final boolean[] isObject = new boolean[MAX_DEPTH];
    private byte[] unescaped = new byte[256];
    private byte[] bytes;
    private int at;
    private int to;
    private boolean isFirst;
    private boolean isBroken;
    private byte[] nameBytes;
    private int nameFrom;
    private int nameTo;
    private Kind kind;
    private byte[] valueBytes;
    private int valueFrom;
    private int valueTo;

    /** Begins an object, which may be surrounded by blanks. */
    void begin(final byte[] source, final int from, final int end)
    {
        bytes = source;
        to = end;
        at = blanks(from);
        isFirst = true;
        isBroken = !isAt(at, '{');
        at++;
    }

    /** Moves to the next member; returns false after the last one, or if the object is broken. */
    boolean next()
    {
        if (isBroken)
        {
            return false;
        }
        at = blanks(at);
        if (isAt(at, '}'))
        {
            at = blanks(at + 1);
            isBroken = at != to;
            return false;
        }
        if (!isFirst)
        {
            at = isAt(at, ',') ? blanks(at + 1) : to;
        }
        isFirst = false;
        at = name(at);
        if (at != BROKEN)
        {
            nameBytes = valueBytes == unescaped ? Arrays.copyOfRange(unescaped, 0, valueTo) : valueBytes;
            nameFrom = valueFrom;
            nameTo = valueTo;
            at = value(blanks(at));
        }
        isBroken = at == BROKEN;
        return !isBroken;
    }

    /** Whether the bytes are not exactly one object. */
    boolean isBroken()
    {
        return isBroken;
    }

    byte[] nameBytes()
    {
        return nameBytes;
    }

    int nameFrom()
    {
        return nameFrom;
    }

    int nameTo()
    {
        return nameTo;
    }

    Kind kind()
    {
        return kind;
    }

    /** Contains the value without quotes and escapes; valid until the next call of {@link #next}. */
    byte[] valueBytes()
    {
        return valueBytes;
    }

    int valueFrom()
    {
        return valueFrom;
    }

    int valueTo()
    {
        return valueTo;
    }

    private boolean isAt(final int index, final char expected)
    {
        return index < to && bytes[index] == expected;
    }

    private int blanks(final int from)
    {
        int index = from;
        while (index < to && bytes[index] <= ' ' &&
            (bytes[index] == ' ' || bytes[index] == '\t' || bytes[index] == '\r' || bytes[index] == '\n'))
        {
            index++;
        }
        return index;
    }

    /** Reads a name and the colon; returns the index after them or {@link #BROKEN}, as do the methods below. */
    private int name(final int from)
    {
        final int end = isAt(from, '"') ? string(from + 1) : BROKEN;
        final int colon = end == BROKEN ? to : blanks(end);
        return isAt(colon, ':') ? colon + 1 : BROKEN;
    }

    private int value(final int from)
    {
        if (isAt(from, '{') || isAt(from, '['))
        {
            final int end = nested(from);
            kind = Kind.NESTED;
            valueBytes = bytes;
            valueFrom = from;
            valueTo = end;
            return end;
        }
        return scalar(from);
    }

    private int scalar(final int from)
    {
        if (from >= to)
        {
            return BROKEN;
        }
        return switch (bytes[from])
        {
            case '"' -> string(from + 1);
            case 't' -> literal(from, "true", Kind.TRUE);
            case 'f' -> literal(from, "false", Kind.FALSE);
            case 'n' -> literal(from, "null", Kind.NULL);
            default -> number(from);
        };
    }

    private int literal(final int from, final String text, final Kind which)
    {
        final int end = from + text.length();
        if (end > to)
        {
            return BROKEN;
        }
        for (int i = from; i < end; i++)
        {
            if (bytes[i] != text.charAt(i - from))
            {
                return BROKEN;
            }
        }
        return found(which, bytes, from, end, end);
    }

    private int found(final Kind which, final byte[] source, final int from, final int end, final int after)
    {
        kind = which;
        valueBytes = source;
        valueFrom = from;
        valueTo = end;
        return after;
    }

    private int number(final int from)
    {
        int index = isAt(from, '-') ? from + 1 : from;
        final int integer = index;
        index = digits(index);
        if (index == integer || bytes[integer] == '0' && index > integer + 1)
        {
            return BROKEN;
        }
        if (isAt(index, '.'))
        {
            final int fraction = index + 1;
            index = digits(fraction);
            if (index == fraction)
            {
                return BROKEN;
            }
        }
        if (isAt(index, 'e') || isAt(index, 'E'))
        {
            final int exponent = isAt(index + 1, '-') || isAt(index + 1, '+') ? index + 2 : index + 1;
            index = digits(exponent);
            if (index == exponent)
            {
                return BROKEN;
            }
        }
        return found(Kind.NUMBER, bytes, from, index, index);
    }

    private int digits(final int from)
    {
        int index = from;
        while (index < to && bytes[index] >= '0' && bytes[index] <= '9')
        {
            index++;
        }
        return index;
    }

    /** Validates an object or array. */
    private int nested(final int from)
    {
        int depth = 0;
        int index = from;
        do
        {
            final boolean opens = isAt(index, '{') || isAt(index, '[');
            if (opens)
            {
                if (depth == MAX_DEPTH)
                {
                    return BROKEN;
                }
                isObject[depth++] = bytes[index] == '{';
                index = blanks(index + 1);
            }
            else
            {
                index = scalar(index);
            }
            boolean isNew = opens;
            while (index != BROKEN && depth > 0 && isAt(blanks(index), isObject[depth - 1] ? '}' : ']'))
            {
                index = blanks(index) + 1;
                depth--;
                isNew = false;
            }
            if (index != BROKEN && depth > 0)
            {
                index = element(blanks(index), isNew, isObject[depth - 1]);
            }
        }
        while (index != BROKEN && depth > 0);
        return index;
    }

    /** Moves to the next value in an object or array: after a comma unless it is the first one. */
    private int element(final int from, final boolean isFirstElement, final boolean hasName)
    {
        int index = from;
        if (!isFirstElement)
        {
            if (!isAt(index, ','))
            {
                return BROKEN;
            }
            index = blanks(index + 1);
        }
        if (hasName)
        {
            index = name(index);
            index = index == BROKEN ? BROKEN : blanks(index);
        }
        return index;
    }

    /** Reads a string that begins after its quote. */
    private int string(final int from)
    {
        final int end = plain(from);
        if (isAt(end, '"'))
        {
            return found(Kind.STRING, bytes, from, end, end + 1);
        }
        return isAt(end, '\\') ? escaped(from, end) : BROKEN;
    }

    /** The index of the next quote, escape or control character, or the end. */
    private int plain(final int from)
    {
        int index = from;
        while (index + Long.BYTES <= to)
        {
            final long word = (long)LONG.get(bytes, index);
            final long special = (isZero(word ^ '"' * ONES) | isZero(word ^ '\\' * ONES) |
                word - FIRST_PRINTABLE * ONES & ~word) & HIGH_BITS;
            if (special != 0)
            {
                return index + (Long.numberOfTrailingZeros(special) >>> 3);
            }
            index += Long.BYTES;
        }
        while (index < to && bytes[index] != '"' && bytes[index] != '\\' && !isControl(bytes[index]))
        {
            index++;
        }
        return index;
    }

    /** Has the highest bit of each byte that is 0; bits above the lowest of them have no meaning. */
    private static long isZero(final long word)
    {
        return word - ONES & ~word;
    }

    private static boolean isControl(final byte each)
    {
        return each >= 0 && each < FIRST_PRINTABLE;
    }

    /** Copies a string with escapes; its first one is at an index. The copy is not longer than the text. */
    private int escaped(final int from, final int firstEscape)
    {
        if (unescaped.length < to - from)
        {
            unescaped = new byte[Math.max(to - from, 2 * unescaped.length)];
        }
        int length = 0;
        int begin = from;
        int index = firstEscape;
        while (isAt(index, '\\'))
        {
            System.arraycopy(bytes, begin, unescaped, length, index - begin);
            length += index - begin;
            if (isAt(index + 1, 'u'))
            {
                final int point = codePoint(index);
                if (point == BROKEN)
                {
                    return BROKEN;
                }
                length = encode(point, length);
                begin = index + (Character.isSupplementaryCodePoint(point) ? 12 : 6);
            }
            else
            {
                final int plain = index + 1 < to ? "\"\\/bfnrt".indexOf(bytes[index + 1]) : BROKEN;
                if (plain == BROKEN)
                {
                    return BROKEN;
                }
                unescaped[length++] = (byte)"\"\\/\b\f\n\r\t".charAt(plain);
                begin = index + 2;
            }
            index = plain(begin);
        }
        if (!isAt(index, '"'))
        {
            return BROKEN;
        }
        System.arraycopy(bytes, begin, unescaped, length, index - begin);
        return found(Kind.STRING, unescaped, 0, length + index - begin, index + 1);
    }

    /** The character that one or two escapes with hexadecimal digits denote. Half a pair has no form in UTF-8. */
    private int codePoint(final int escape)
    {
        final int high = hex(escape + 2);
        if (high == BROKEN || !Character.isSurrogate((char)high))
        {
            return high;
        }
        final int low = isAt(escape + 6, '\\') && isAt(escape + 7, 'u') ? hex(escape + 8) : BROKEN;
        return low != BROKEN && Character.isSurrogatePair((char)high, (char)low) ?
            Character.toCodePoint((char)high, (char)low) : BROKEN;
    }

    private int hex(final int from)
    {
        if (from + 4 > to)
        {
            return BROKEN;
        }
        int value = 0;
        for (int i = from; i < from + 4; i++)
        {
            final int digit = bytes[i] < 0 ? BROKEN : Character.digit(bytes[i], 16);
            if (digit == BROKEN)
            {
                return BROKEN;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private int encode(final int point, final int from)
    {
        int index = from;
        if (point < 0x80)
        {
            unescaped[index++] = (byte)point;
            return index;
        }
        if (point < 0x800)
        {
            unescaped[index++] = (byte)(0xC0 | point >> 6);
        }
        else
        {
            if (point < 0x10000)
            {
                unescaped[index++] = (byte)(0xE0 | point >> 12);
            }
            else
            {
                unescaped[index++] = (byte)(0xF0 | point >> 18);
                unescaped[index++] = (byte)(0x80 | point >> 12 & 0x3F);
            }
            unescaped[index++] = (byte)(0x80 | point >> 6 & 0x3F);
        }
        unescaped[index++] = (byte)(0x80 | point & 0x3F);
        return index;
    }
}
