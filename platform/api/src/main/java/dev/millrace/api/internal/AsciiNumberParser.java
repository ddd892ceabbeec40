package dev.millrace.api.internal;

import java.nio.charset.StandardCharsets;

/**
 * Parses numbers from ASCII bytes without creating strings. Not thread-safe: an object keeps its last results.
 *
 * <p>The grammar is strict: {@code [+-]digits} for integers, {@code [+-]digits[.digits][e[+-]digits]} for floating
 * point; no blanks, no {@code NaN}, no hexadecimal, no suffix. Decimals of up to 18 digits whose value is exact in one
 * multiplication or division are computed here; all others use {@link Double#parseDouble}.
 */
public final class AsciiNumberParser
{
    private static final double[] POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    private static final long EXACT_MANTISSA = 1L << 53;
    private static final int MAX_EXPONENT = 100_000;

    private long integer;
    private double floating;
    private int position;
    private long mantissa;
    private int digits;
    private int significant;

    /**
     * The result of {@link #parseLong} after it returned true.
     *
     * @return the integer
     */
    public long integer()
    {
        return integer;
    }

    /**
     * The result of {@link #parseDouble} after it returned true.
     *
     * @return a finite number
     */
    public double floating()
    {
        return floating;
    }

    /**
     * Parses an integer.
     *
     * @param bytes contains the text
     * @param from  its first byte
     * @param to    its end
     * @return false when it is invalid or exceeds 64 bits
     */
    public boolean parseLong(final byte[] bytes, final int from, final int to)
    {
        int at = from;
        final boolean isNegative = at < to && bytes[at] == '-';
        if (at < to && (bytes[at] == '-' || bytes[at] == '+'))
        {
            at++;
        }
        if (at == to)
        {
            return false;
        }
        // Negative accumulation, because the minimum long has no positive counterpart.
        long value = 0;
        for (; at < to; at++)
        {
            final int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9 || value < Long.MIN_VALUE / 10 ||
                value == Long.MIN_VALUE / 10 && digit > -(Long.MIN_VALUE % 10))
            {
                return false;
            }
            value = value * 10 - digit;
        }
        if (!isNegative && value == Long.MIN_VALUE)
        {
            return false;
        }
        integer = isNegative ? value : -value;
        return true;
    }

    /**
     * Parses a floating-point number.
     *
     * @param bytes contains the text
     * @param from  its first byte
     * @param to    its end
     * @return false when it is invalid or not finite
     */
    public boolean parseDouble(final byte[] bytes, final int from, final int to)
    {
        position = from;
        mantissa = 0;
        digits = 0;
        significant = 0;
        final boolean isNegative = position < to && bytes[position] == '-';
        if (position < to && (bytes[position] == '-' || bytes[position] == '+'))
        {
            position++;
        }
        readDigits(bytes, to);
        int scale = 0;
        if (position < to && bytes[position] == '.')
        {
            position++;
            final int before = digits;
            readDigits(bytes, to);
            scale = digits - before;
        }
        if (digits == 0)
        {
            return false;
        }
        int exponent = 0;
        if (position < to && (bytes[position] | 0x20) == 'e')
        {
            if (!parseLong(bytes, position + 1, to) || Math.abs(integer) > MAX_EXPONENT)
            {
                return false;
            }
            exponent = (int)integer;
            position = to;
        }
        if (position != to)
        {
            return false;
        }
        final int power = exponent - scale;
        if (significant <= 18 && mantissa <= EXACT_MANTISSA && Math.abs(power) < POWERS_OF_TEN.length)
        {
            final double magnitude =
                power < 0 ? mantissa / POWERS_OF_TEN[-power] : mantissa * POWERS_OF_TEN[power];
            floating = isNegative ? -magnitude : magnitude;
            return true;
        }
        floating = Double.parseDouble(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        return Double.isFinite(floating);
    }

    private void readDigits(final byte[] bytes, final int to)
    {
        while (position < to && bytes[position] >= '0' && bytes[position] <= '9')
        {
            if (significant > 0 || bytes[position] != '0')
            {
                significant++;
            }
            if (significant <= 18)
            {
                mantissa = mantissa * 10 + bytes[position] - '0';
            }
            digits++;
            position++;
        }
    }
}
