package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;
import java.io.ByteArrayOutputStream;
import java.util.Locale;

/** Functions of strings and bytes. Positions count from 1. */
public final class StringFunctions
{
    private StringFunctions()
    {
    }

    /** Concatenation of strings; null counts as empty. */
    public static String concat(final String... texts)
    {
        final StringBuilder all = new StringBuilder();
        for (final String text : texts)
        {
            if (text != null)
            {
                all.append(text);
            }
        }
        return FunctionErrors.text("concat", all);
    }

    /** Concatenation of bytes; null counts as empty. */
    public static byte[] concatBytes(final byte[]... parts)
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final byte[] part : parts)
        {
            if (part != null)
            {
                all.writeBytes(part);
            }
        }
        FunctionErrors.need(all.size() <= FunctionErrors.MAX_LENGTH, "concat", "too many bytes");
        return all.size() == 0 ? null : all.toByteArray();
    }

    /** Number of characters. */
    public static int length(final String text)
    {
        return text.length();
    }

    /** Number of bytes. */
    public static int length(final byte[] bytes)
    {
        return bytes.length;
    }

    /** Lower case. */
    public static String lower(final String text)
    {
        return text.toLowerCase(Locale.ROOT);
    }

    /** Upper case. */
    public static String upper(final String text)
    {
        return text.toUpperCase(Locale.ROOT);
    }

    /** Each word with a capital first letter. */
    public static String initcap(final String text)
    {
        final StringBuilder all = new StringBuilder(text.length());
        boolean isInWord = false;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            all.append(isInWord ? Character.toLowerCase(c) : Character.toTitleCase(c));
            isInWord = Character.isLetterOrDigit(c);
        }
        return all.toString();
    }

    /** The part of a string from a position. */
    public static String substr(final String text, final int position)
    {
        return substr(text, position, text.length());
    }

    /** At most {@code length} characters from a position; a negative position counts from the end. */
    public static String substr(final String text, final int position, final int length)
    {
        final long start = position > 0 ? position - 1L : position == 0 ? 0 : (long) text.length() + position;
        if (start < 0 || start >= text.length() || length <= 0)
        {
            return null;
        }
        return text.substring((int) start, (int) Math.min(text.length(), start + length));
    }

    /** Position of the first occurrence, or 0. */
    public static int instr(final String text, final String part)
    {
        return text.indexOf(part) + 1;
    }

    /** Position of the first occurrence at or after a position, or 0. */
    public static int instr(final String text, final String part, final int position)
    {
        return instr(text, part, position, 1);
    }

    /** Position of the n-th occurrence at or after a position, searching backward from a negative one, or 0. */
    public static int instr(final String text, final String part, final int position, final int occurrence)
    {
        if (occurrence < 1)
        {
            throw FunctionErrors.domain("instr", "occurrence=" + occurrence);
        }
        if (position == 0 || Math.abs((long) position) > text.length())
        {
            return 0;
        }
        int at = position > 0 ? position - 2 : text.length() + position + 1;
        for (int i = 0; i < occurrence; i++)
        {
            at = position > 0 ? text.indexOf(part, at + 1) : at == 0 ? -1 : text.lastIndexOf(part, at - 1);
            if (at < 0)
            {
                return 0;
            }
        }
        return at + 1;
    }

    /** The string without the occurrences of another. */
    public static String replace(final String text, final String part)
    {
        return replace(text, part, null);
    }

    /** The string with each occurrence replaced; a null replacement removes them, a null part changes nothing. */
    public static String replace(final String text, final String part, final String by)
    {
        if (text == null || part == null)
        {
            return text;
        }
        final int shorter = by == null ? 0 : by.length();
        if (!((long) text.length() / part.length() * shorter <= FunctionErrors.MAX_LENGTH || !text.contains(part)))
        {
            throw FunctionErrors.domain("replace", "the result may be longer than " + FunctionErrors.MAX_LENGTH);
        }
        return FunctionErrors.text("replace", text.replace(part, by == null ? "" : by));
    }

    /** The n-th part between separators, from 1; a negative number counts from the end. */
    public static String splitPart(final String text, final String separator, final int number)
    {
        FunctionErrors.need(number != 0, "split_part", "number=0: parts are counted from 1");
        long wanted = number;
        if (number < 0)
        {
            wanted += 2;
            for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length()))
            {
                wanted++;
            }
        }
        int start = wanted < 1 ? -1 : 0;
        for (long i = 1; i < wanted && start >= 0; i++)
        {
            final int at = text.indexOf(separator, start);
            start = at < 0 ? -1 : at + separator.length();
        }
        final int end = start < 0 ? -1 : text.indexOf(separator, start);
        return start < 0 ? null : text.substring(start, end < 0 ? text.length() : end);
    }

    /** Each character of {@code from} replaced with the one at the same index in {@code to}, or removed. */
    public static String translate(final String text, final String from, final String to)
    {
        final StringBuilder all = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++)
        {
            final int at = from.indexOf(text.charAt(i));
            if (at < 0)
            {
                all.append(text.charAt(i));
            }
            else if (at < to.length())
            {
                all.append(to.charAt(at));
            }
        }
        return FunctionErrors.text("translate", all);
    }

    /** Without blanks at both ends. */
    public static String trim(final String text)
    {
        return trim(text, " ");
    }

    /** Without some characters at both ends. */
    public static String trim(final String text, final String set)
    {
        final String right = rtrim(text, set);
        return right == null ? null : ltrim(right, set);
    }

    /** Without blanks at the beginning. */
    public static String ltrim(final String text)
    {
        return ltrim(text, " ");
    }

    /** Without some characters at the beginning. */
    public static String ltrim(final String text, final String set)
    {
        int start = 0;
        while (start < text.length() && set.indexOf(text.charAt(start)) >= 0)
        {
            start++;
        }
        return FunctionErrors.text("ltrim", text.substring(start));
    }

    /** Without blanks at the end. */
    public static String rtrim(final String text)
    {
        return rtrim(text, " ");
    }

    /** Without some characters at the end. */
    public static String rtrim(final String text, final String set)
    {
        int end = text.length();
        while (end > 0 && set.indexOf(text.charAt(end - 1)) >= 0)
        {
            end--;
        }
        return FunctionErrors.text("rtrim", text.substring(0, end));
    }

    /** Padded on the left with blanks, or truncated. */
    public static String lpad(final String text, final int length)
    {
        return lpad(text, length, " ");
    }

    /** Padded on the left, or truncated. */
    public static String lpad(final String text, final int length, final String fill)
    {
        return length <= text.length() ? cut(text, length) : fill("lpad", fill, length - text.length()) + text;
    }

    /** Padded on the right with blanks, or truncated. */
    public static String rpad(final String text, final int length)
    {
        return rpad(text, length, " ");
    }

    /** Padded on the right, or truncated. */
    public static String rpad(final String text, final int length, final String fill)
    {
        return length <= text.length() ? cut(text, length) : text + fill("rpad", fill, length - text.length());
    }

    private static String cut(final String text, final int length)
    {
        return length <= 0 ? null : text.substring(0, length);
    }

    private static String fill(final String function, final String fill, final int length)
    {
        if (length > FunctionErrors.MAX_LENGTH)
        {
            throw FunctionErrors.domain(function, "length=" + length);
        }
        return fill.repeat(length / fill.length() + 1).substring(0, length);
    }

    /** Code point of the first character. */
    public static int ascii(final String text)
    {
        return text.codePointAt(0);
    }

    /** Character of a code point. */
    public static String chr(final int code)
    {
        if (!Character.isValidCodePoint(code))
        {
            throw FunctionErrors.domain("chr", "code=" + code);
        }
        return Character.toString(code);
    }
}
