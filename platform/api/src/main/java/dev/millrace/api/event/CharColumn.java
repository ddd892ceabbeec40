package dev.millrace.api.event;

import dev.millrace.api.string.StringTable;
import dev.millrace.api.string.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The values of a char column of a batch. The representation may differ from filling to filling, so readers and writers
 * go through this class:
 * <ul>
 * <li><b>bytes</b>: the first eight bytes of each string as a word, the rest in an array of the column;</li>
 * <li><b>objects</b>: strings of beans, maps and tuples;</li>
 * <li><b>codes</b>: equal ints for equal strings, from a table of the writer's thread.</li>
 * </ul>
 * State and keys need equal ints for equal strings; they {@linkplain #codes(Codes, int[], int, int[]) get} codes of
 * their thread's table. Strings that are only passed on keep their representation.
 *
 * <p>Threads and ownership: those of the batch. A view shares the column of its source.
 */
public final class CharColumn
{
    /** Longer strings of objects are copied as objects. */
    private static final int SCRATCH_BYTES = 64;
    private static final int MOST_BYTES_A_CHAR = 3;

    private static final byte[] NONE = new byte[0];

    private final int[] codes = new int[EventBatch.CAPACITY];
    private final CharColumnRows bytes = new CharColumnRows();
    private String[] objects;
    private Form form = Form.NULLS;
    /** The table of the codes; {@code null} in other representations. */
    private StringTable table;
    /** Number of rows that are stored as bytes or objects. */
    private int rows;
    private StringCache strings;
    private byte[] scratch;

    private enum Form
    {
        /** No string of this filling has been written: the first one determines the representation. */
        NULLS,
        CODES, BYTES, OBJECTS
    }

    /** Starts a new filling. */
    void clear()
    {
        form = Form.NULLS;
        table = null;
        rows = 0;
        bytes.clear();
    }

    /** Bytes that longer strings of all fillings have taken so far. */
    int arrayBytes()
    {
        return bytes.arrayBytes();
    }

    /** Releases that memory; only while the column is empty. */
    void trim()
    {
        bytes.trim();
    }

    /** Whether strings of another column that are stored as bytes can be written without more memory. */
    boolean hasRoom(final CharColumn from, final int fromRow, final int count)
    {
        long more = 0;
        for (int row = fromRow; (from.form == Form.BYTES || from.form == Form.CODES) && row < fromRow + count; row++)
        {
            final int length = from.length(row);
            more += length > Long.BYTES ? length : 0;
        }
        return bytes.hasRoom(more);
    }

    private void begin(final Form chosen)
    {
        form = chosen;
        table = null;
        if (chosen == Form.OBJECTS && objects == null)
        {
            objects = new String[EventBatch.CAPACITY];
        }
        else if (chosen == Form.BYTES)
        {
            bytes.begin();
        }
    }

    /**
     * Returns the array of codes for a writer that fills it instead of writing strings, for all rows of a filling. The
     * codes are valid until the owner of the table ends its batch.
     *
     * @param of table of the codes; of the thread that owns the batch
     * @return one per row, {@link StringTable#NULL} for null; the array itself
     */
    public int[] writeCodes(final StringTable of)
    {
        begin(Form.CODES);
        table = of;
        return codes;
    }

    /**
     * Writes a string by its code, or by value where earlier rows have another representation.
     *
     * @param row  index from 0; rows are written in ascending order
     * @param of   table of the code; of the thread that owns the batch
     * @param code of the string, {@link StringTable#NULL} for null
     */
    public void setCode(final int row, final StringTable of, final int code)
    {
        if (form == Form.NULLS)
        {
            writeCodes(of);
        }
        if (form == Form.CODES && table == of)
        {
            codes[row] = code;
            return;
        }
        set(row, of, code);
    }

    /**
     * Returns the codes if the column was written as codes of the given table.
     *
     * @param of table
     * @return one per row, the array itself; {@code null} where strings are stored by value or as codes of another
     *     table
     */
    public int[] codesOf(final StringTable of)
    {
        return table == of ? codes : null;
    }

    /**
     * Gets the codes of strings in a table of the reader, which adds new strings.
     *
     * @param of        table of the reader's thread
     * @param selection rows; {@code null} for those from 0
     * @param count     how many
     * @param to        receives the code of each row at its index, {@link StringTable#FULL} where the table has no room
     * @return false when a row has no code
     */
    public boolean codes(final StringTable of, final int[] selection, final int count, final int[] to)
    {
        final boolean areShort = form == Form.BYTES && selection == null && !bytes.hasOthers();
        if (areShort && of.findHeads(bytes.heads(), count, to))
        {
            return true;
        }
        if (form == Form.OBJECTS && selection == null)
        {
            return of.codes(objects, count, to);
        }
        if (form == Form.BYTES && bytes.hasOthers())
        {
            return bytes.codes(of, selection, count, to);
        }
        boolean all = true;
        for (int i = 0; i < count; i++)
        {
            final int row = selection == null ? i : selection[i];
            if (!areShort || to[row] == StringTable.NULL)
            {
                to[row] = code(row, of);
                all &= to[row] != StringTable.FULL;
            }
        }
        return all;
    }

    /**
     * Gets the codes of all strings in a table, without adding any.
     *
     * @param of      table of the reader's thread
     * @param count   rows from 0
     * @param unknown code for strings that the table does not contain
     * @param to      receives one code per row, {@link StringTable#NULL} for null
     */
    public void find(final StringTable of, final int count, final int unknown, final int[] to)
    {
        final boolean areShort = form == Form.BYTES && !bytes.hasOthers();
        if (areShort && of.findHeads(bytes.heads(), count, to))
        {
            return;
        }
        final boolean areObjects = form == Form.OBJECTS;
        if (areObjects)
        {
            of.find(objects, count, to);
        }
        for (int row = 0; row < count; row++)
        {
            final int code = areShort || areObjects ? to[row] : find(row, of);
            to[row] = code == StringTable.NULL && !isNull(row) ? unknown : code;
        }
    }

    /**
     * Returns the code of a string in a table of the reader, which adds new strings.
     *
     * @param row index from 0
     * @param of  table of the reader's thread
     * @return code, {@link StringTable#NULL} for null, {@link StringTable#FULL} when the table has no room
     */
    public int code(final int row, final StringTable of)
    {
        if (form == Form.BYTES)
        {
            return bytes.code(row, of);
        }
        if (form == Form.OBJECTS)
        {
            return of.code(objects[row]);
        }
        if (table == of)
        {
            return codes[row];
        }
        final int length = ascii(row);
        if (length >= 0)
        {
            return of.code(scratch(), 0, length);
        }
        final byte[] text = utf8(row);
        return of.code(text, 0, text.length);
    }

    /**
     * Returns a separate code for a carried string, without a look-up. A short string gets the code that equal strings
     * share, because short strings often repeat, unless the table is full.
     *
     * @param row index from 0
     * @param of  table of the reader's thread
     * @return code, {@link StringTable#NULL} for null
     */
    public int apart(final int row, final StringTable of)
    {
        if (form == Form.BYTES)
        {
            return bytes.apart(row, of);
        }
        if (form == Form.OBJECTS)
        {
            final String text = objects[row];
            return text == null ? StringTable.NULL : apart(row, text.length(), of);
        }
        if (table == of)
        {
            return codes[row];
        }
        final int length = length(row);
        return of.apart(lent(row, length), 0, length);
    }

    /**
     * Gets the lengths of all strings that are objects. Reading the objects of a batch one after the other lets the
     * cache misses of several objects overlap, which they do not when other work is done between them.
     *
     * @param count rows from 0
     * @param to    receives the length of each in characters, 0 for null
     * @return false when the strings are not objects
     */
    public boolean lengths(final int count, final int[] to)
    {
        if (form != Form.OBJECTS)
        {
            return false;
        }
        final String[] from = objects;
        for (int row = 0; row < count; row++)
        {
            final String text = from[row];
            to[row] = text == null ? 0 : text.length();
        }
        return true;
    }

    /**
     * Like {@link #apart(int, Codes)}, for a text whose length is known from {@link #lengths}.
     *
     * @param row    index from 0
     * @param length of the object in characters, 0 for null
     * @param of     table of the reader's thread
     * @return code, {@link StringTable#NULL} for null
     */
    public int apart(final int row, final int length, final StringTable of)
    {
        final int code = length == 0 ? StringTable.NULL : length <= Long.BYTES ? of.code(objects[row]) :
            StringTable.FULL;
        return code == StringTable.FULL ? of.apart(objects[row], length) : code;
    }

    /**
     * The code of a text in a table that does not take it in.
     *
     * @param row index from 0
     * @param of  table of the reader's thread
     * @return code, {@link StringTable#NULL} for null and for a string that the table does not contain
     */
    public int find(final int row, final StringTable of)
    {
        if (form == Form.BYTES)
        {
            return bytes.find(row, of);
        }
        if (form == Form.OBJECTS)
        {
            return of.find(objects[row]);
        }
        if (table == of)
        {
            return codes[row];
        }
        final int length = ascii(row);
        if (length >= 0)
        {
            return of.find(scratch(), 0, length);
        }
        final byte[] text = utf8(row);
        return of.find(text, 0, text.length);
    }

    /**
     * Copies a string to the scratch array if it is null, a short string of a table or an ASCII object; returns its
     * length, -1 for others.
     */
    private int ascii(final int row)
    {
        if (isNull(row))
        {
            return 0;
        }
        if (form == Form.OBJECTS)
        {
            return Utf8.copyAscii(objects[row], scratch());
        }
        return table.length(codes[row]) <= SCRATCH_BYTES ? table.copy(codes[row], scratch(), 0) : -1;
    }

    private byte[] scratch()
    {
        scratch = scratch == null ? new byte[SCRATCH_BYTES] : scratch;
        return scratch;
    }

    /**
     * Returns the codes of a column that was written as codes, for a reader that knows the table.
     *
     * @return one per row, {@link StringTable#NULL} for null; the array itself
     * @throws IllegalStateException when the column has another representation
     */
    public int[] codes()
    {
        if (form != Form.CODES)
        {
            throw new IllegalStateException("the column has no codes, please report this: form=" + form);
        }
        return codes;
    }

    /**
     * Returns the array of strings for a writer that fills it instead of writing strings, for all rows of a filling.
     * The writer then calls {@link #wroteStrings}.
     *
     * @return one per row, {@code null} for null, none empty; the array itself
     */
    public String[] writeStrings()
    {
        begin(Form.OBJECTS);
        return objects;
    }

    /**
     * Reports that rows have been written to {@link #writeStrings}.
     *
     * @param count of all rows
     */
    public void wroteStrings(final int count)
    {
        rows = Math.max(rows, count);
    }

    /**
     * Selects bytes as the representation, for writers of many rows; called before {@link #heads} and {@link #lengths}.
     */
    public void writeBytes()
    {
        if (form == Form.NULLS)
        {
            begin(Form.BYTES);
        }
        else if (form == Form.OBJECTS)
        {
            makeBytes(rows);
        }
    }

    /**
     * Whether a row has no string. The empty string is null.
     *
     * @param row index from 0
     * @return true when null
     */
    public boolean isNull(final int row)
    {
        return switch (form)
        {
            case NULLS -> true;
            case CODES -> codes[row] == StringTable.NULL;
            case BYTES -> bytes.length(row) == 0;
            case OBJECTS -> objects[row] == null;
        };
    }

    /**
     * Returns a string as an object. Recently returned strings are cached, so few objects are created.
     *
     * @param row index from 0
     * @return the string, {@code null} for null
     */
    public String string(final int row)
    {
        return switch (form)
        {
            case NULLS -> null;
            case CODES -> stringOfCode(row);
            case BYTES -> bytes.string(row, strings());
            case OBJECTS -> objects[row];
        };
    }

    private StringCache strings()
    {
        strings = strings == null ? new StringCache() : strings;
        return strings;
    }

    private String stringOfCode(final int row)
    {
        final int length = length(row);
        final byte[] text = lent(row, length);
        return length == 0 ? null :
            strings().string(Utf8.hash(text, 0, length), Utf8.head(text, 0, length), text, 0, length);
    }

    /**
     * Returns the length of a string.
     *
     * @param row index from 0
     * @return in bytes of UTF-8, 0 for null
     */
    public int length(final int row)
    {
        if (form == Form.BYTES)
        {
            return bytes.length(row);
        }
        final int length = ascii(row);
        return length >= 0 ? length : utf8(row).length;
    }

    /**
     * A length that a text does not exceed, which costs less than its length where it is an object.
     *
     * @param row index from 0
     * @return at least the length in bytes of UTF-8
     */
    public int maxLength(final int row)
    {
        return form == Form.OBJECTS && objects[row] != null ? MOST_BYTES_A_CHAR * objects[row].length() : length(row);
    }

    /**
     * Copies the UTF-8 bytes of a text.
     *
     * @param row index from 0
     * @param to  receives the bytes; must have room for {@link #length(int)}
     * @param at  index of the first byte
     * @return how many were copied, 0 for null
     */
    public int copy(final int row, final byte[] to, final int at)
    {
        if (form == Form.BYTES)
        {
            return bytes.copy(row, to, at);
        }
        if (form == Form.OBJECTS && objects[row] != null)
        {
            final int copied = Utf8.copyAscii(objects[row], to, at);
            if (copied >= 0)
            {
                return copied;
            }
        }
        final int length = ascii(row);
        if (length >= 0)
        {
            System.arraycopy(scratch(), 0, to, at, length);
            return length;
        }
        final byte[] text = utf8(row);
        System.arraycopy(text, 0, to, at, text.length);
        return text.length;
    }

    /**
     * Whether two strings are equal.
     *
     * @param row      index from 0
     * @param other    column of this or another batch
     * @param otherRow index in that column
     * @return true also when both are null
     */
    public boolean isEqual(final int row, final CharColumn other, final int otherRow)
    {
        if (form == Form.CODES && table == other.table)
        {
            return codes[row] == other.codes[otherRow];
        }
        if (form == Form.OBJECTS && other.form == Form.OBJECTS)
        {
            return Objects.equals(objects[row], other.objects[otherRow]) || isEqualAsBytes(row, other, otherRow);
        }
        if (form == Form.BYTES && other.form == Form.BYTES)
        {
            return bytes.isEqual(row, other.bytes, otherRow);
        }
        final int length = length(row);
        return length == other.length(otherRow) && (length == 0 || hash(row) == other.hash(otherRow)) &&
            Arrays.equals(lent(row, length), 0, length, other.lent(otherRow, length), 0, length);
    }

    /** Different objects may have equal bytes, because UTF-8 cannot encode half of a surrogate pair. */
    private boolean isEqualAsBytes(final int row, final CharColumn other, final int otherRow)
    {
        return !isNull(row) && !other.isNull(otherRow) && (ascii(row) < 0 || other.ascii(otherRow) < 0) &&
            Arrays.equals(utf8(row), other.utf8(otherRow));
    }

    /** An array that starts with the bytes of a string; valid until the next call. */
    private byte[] lent(final int row, final int length)
    {
        final byte[] text = length > SCRATCH_BYTES ? new byte[length] : scratch();
        copy(row, text, 0);
        return text;
    }

    /** The bytes of a string that is not null and not stored as bytes. */
    private byte[] utf8(final int row)
    {
        if (form == Form.OBJECTS)
        {
            return objects[row].getBytes(StandardCharsets.UTF_8);
        }
        final byte[] text = new byte[table.length(codes[row])];
        table.copy(codes[row], text, 0);
        return text;
    }

    /**
     * Returns a hash of a string that depends only on its bytes; the same in all columns of this process.
     *
     * @param row index from 0
     * @return 0 for null
     */
    public long hash(final int row)
    {
        if (isNull(row))
        {
            return 0;
        }
        if (form == Form.BYTES)
        {
            return bytes.hash(row);
        }
        final int length = ascii(row);
        if (length >= 0)
        {
            return Utf8.hash(scratch, 0, length);
        }
        final byte[] text = utf8(row);
        return Utf8.hash(text, 0, text.length);
    }

    /**
     * Returns the hash code of a string as an object, {@link String#hashCode()}: unlike {@link #hash}, the same in all
     * processes.
     *
     * @param row index from 0
     * @return 0 for null
     */
    public int stableHash(final int row)
    {
        if (form == Form.OBJECTS)
        {
            return objects[row] == null ? 0 : objects[row].hashCode();
        }
        if (form == Form.BYTES)
        {
            return bytes.stableHash(row);
        }
        final int length = isNull(row) ? 0 : ascii(row);
        return length == 0 ? 0 : length > 0 ? Utf8.stableHash(scratch, 0, length) : string(row).hashCode();
    }

    /**
     * Writes a string.
     *
     * @param row  index from 0
     * @param text {@code null} and the empty string are null
     */
    public void set(final int row, final String text)
    {
        if (text == null || text.isEmpty())
        {
            setNull(row);
            return;
        }
        setObject(row, text);
    }

    /** Writes a string that is not empty; an object among objects is not read. */
    private void setObject(final int row, final String text)
    {
        if (form == Form.NULLS)
        {
            begin(Form.OBJECTS);
        }
        if (form == Form.CODES)
        {
            makeBytes(row);
        }
        if (form == Form.OBJECTS)
        {
            objects[row] = text;
        }
        else
        {
            final int length = Utf8.copyAscii(text, scratch());
            final byte[] utf8 = length >= 0 ? scratch : text.getBytes(StandardCharsets.UTF_8);
            bytes.put(row, utf8, 0, length >= 0 ? length : utf8.length);
        }
        written(row);
    }

    /**
     * Writes the first strings of a filling, given as objects.
     *
     * @param from  strings; {@code null} and the empty string are null
     * @param first index of the string of row 0
     * @param count how many
     */
    public void set(final String[] from, final int first, final int count)
    {
        begin(Form.OBJECTS);
        final String[] to = objects;
        // One block copy: storing a reference may be a fence, which delays the cache misses of the following ones.
        System.arraycopy(from, first, to, 0, count);
        for (int row = 0; row < count; row++)
        {
            if (to[row] != null && to[row].hashCode() == 0 && to[row].isEmpty())
            {
                to[row] = null;
            }
        }
        rows = count;
    }

    /**
     * Writes a string given as UTF-8 bytes, which are copied.
     *
     * @param row    index from 0
     * @param from   holds the string
     * @param at     index of its first byte
     * @param length in bytes; 0 is null
     */
    public void set(final int row, final byte[] from, final int at, final int length)
    {
        if (length == 0)
        {
            setNull(row);
            return;
        }
        if (form == Form.NULLS)
        {
            begin(Form.BYTES);
        }
        if (form == Form.CODES)
        {
            makeBytes(row);
        }
        if (form == Form.OBJECTS)
        {
            objects[row] = length > SCRATCH_BYTES ? new String(from, at, length, StandardCharsets.UTF_8) :
                strings().string(hash(from, at, length), Utf8.head(from, at, length), from, at, length);
        }
        else
        {
            bytes.put(row, from, at, length);
        }
        written(row);
    }

    private static long hash(final byte[] from, final int at, final int length)
    {
        final long head = Utf8.head(from, at, length);
        return Utf8.isHead(head, length) ? Utf8.hash(head) : Utf8.hash(from, at, length);
    }

    /**
     * Writes a string that has a code.
     *
     * @param row  index from 0
     * @param of   table of the writer's thread
     * @param code of the string, {@link StringTable#NULL} for null
     */
    public void set(final int row, final StringTable of, final int code)
    {
        final String object = of.object(code);
        if (object != null)
        {
            setObject(row, object);
            return;
        }
        final int length = of.length(code);
        if (form == Form.NULLS && length > 0)
        {
            begin(Form.BYTES);
        }
        else if (form == Form.CODES && length > 0)
        {
            makeBytes(row);
        }
        if (form == Form.BYTES && length > 0)
        {
            bytes.put(row, of, code, length);
            written(row);
            return;
        }
        final byte[] text = length > SCRATCH_BYTES ? new byte[length] : scratch();
        of.copy(code, text, 0);
        set(row, text, 0, length);
    }

    /** Null exists in every representation, so it does not determine the representation of a filling. */
    void setNull(final int row)
    {
        codes[row] = StringTable.NULL;
        bytes.setNull(row);
        if (objects != null)
        {
            objects[row] = null;
        }
        written(row);
    }

    private void written(final int row)
    {
        rows = Math.max(rows, row + 1);
    }

    /**
     * Writes a string of one to eight bytes whose last byte is not 0, in a filling that is written as bytes.
     *
     * @param row    index from 0
     * @param head   its bytes, the first one lowest
     * @param length in bytes
     */
    public void setHead(final int row, final long head, final int length)
    {
        bytes.setHead(row, head, length);
        rows = Math.max(rows, row + 1);
    }

    /**
     * Whether all strings are represented by their {@link #heads}: stored as bytes, and null or at most eight bytes
     * long without a 0 at the end.
     */
    public boolean areHeads()
    {
        return form == Form.BYTES && !bytes.hasOthers();
    }

    /**
     * Returns the array of heads: for readers if {@link #areHeads}, and for writers of many rows, after
     * {@link #writeBytes}, with heads as accepted by {@link #setHead}. After filling it, the writer calls
     * {@link #wroteHeads}.
     *
     * @return one per row, the array itself
     */
    public long[] heads()
    {
        return bytes.heads();
    }

    /**
     * Like {@link #heads}, for lengths in bytes.
     *
     * @return one per row, the array itself
     */
    public int[] lengths()
    {
        return bytes.lengths();
    }

    /**
     * Reports that rows have been written to {@link #heads} and {@link #lengths}.
     *
     * @param count of all rows that have been written, by any method
     */
    public void wroteHeads(final int count)
    {
        rows = Math.max(rows, count);
    }

    /** Puts strings into consecutive slots of a ring. */
    void put(final int[] selection, final int first, final int count, final CharColumnRing ring, final int start)
    {
        switch (form)
        {
            case BYTES -> bytes.put(selection, first, count, ring, start);
            case OBJECTS -> ring.putStrings(objects, selection, first, count, start);
            default ->
            {
                for (int i = 0; i < count; i++)
                {
                    final int from = selection == null ? first + i : selection[first + i];
                    ring.put(start + i, isNull(from) ? NONE : utf8(from));
                }
            }
        }
    }

    /** Writes string objects of a ring and clears them in the ring. */
    void takeStrings(final int row, final String[] texts, final int place, final int count)
    {
        if (form == Form.NULLS)
        {
            begin(Form.OBJECTS);
        }
        if (form == Form.OBJECTS)
        {
            System.arraycopy(texts, place, objects, row, count);
            written(row);
            rows = Math.max(rows, row + count);
        }
        for (int i = 0; form != Form.OBJECTS && i < count; i++)
        {
            set(row + i, texts[place + i]);
        }
        Arrays.fill(texts, place, place + count, null);
    }

    /** Writes strings of a ring if all are null or represented by their heads; otherwise nothing. */
    boolean takeHeads(final int row, final long[] heads, final int[] lengths, final int place, final int count)
    {
        if (form == Form.NULLS)
        {
            begin(Form.BYTES);
        }
        if (form != Form.BYTES || !bytes.takeHeads(row, heads, lengths, place, count))
        {
            return false;
        }
        written(row);
        rows = Math.max(rows, row + count);
        return true;
    }

    /**
     * Writes a string of a ring.
     *
     * @param row    index from 0
     * @param head   its first eight bytes
     * @param text   holds the string from index 0, unless the head represents it
     * @param length in bytes; 0 is null
     */
    void take(final int row, final long head, final byte[] text, final int length)
    {
        if (length == 0)
        {
            setNull(row);
            return;
        }
        if (form == Form.NULLS)
        {
            begin(Form.BYTES);
        }
        else if (form == Form.CODES)
        {
            makeBytes(row);
        }
        final boolean isHead = Utf8.isHead(head, length);
        if (form == Form.OBJECTS && isHead)
        {
            makeBytes(row);
        }
        if (!isHead)
        {
            set(row, text, 0, length);
            return;
        }
        bytes.setHead(row, head, length);
        written(row);
    }

    /**
     * Copies a string of another column.
     *
     * @param from    of this or another batch
     * @param fromRow its row
     * @param row     index from 0; rows are written in ascending order
     */
    public void copyRow(final CharColumn from, final int fromRow, final int row)
    {
        if (form == Form.OBJECTS && from.form == Form.OBJECTS && row > 0)
        {
            objects[row] = from.objects[fromRow];
            written(row);
            return;
        }
        copyRows(from, fromRow, row, 1);
    }

    /**
     * Like {@link #copyRow}, for batches that are sent before the other column is filled again: codes are copied as
     * codes.
     *
     * @param from    of another batch
     * @param fromRow its row
     * @param row     index from 0; rows are written in ascending order
     */
    public void showRow(final CharColumn from, final int fromRow, final int row)
    {
        if (from.form == Form.CODES)
        {
            setCode(row, from.table, from.codes[fromRow]);
            return;
        }
        copyRows(from, fromRow, row, 1);
    }

    /**
     * Copies strings of consecutive rows of another column. Bytes are copied, so the other column may be filled again.
     *
     * @param from    of another batch
     * @param fromRow its first row
     * @param row     first row to write; rows are written in ascending order
     * @param count   how many
     */
    public void copyRows(final CharColumn from, final int fromRow, final int row, final int count)
    {
        adopt(from, row);
        if (form == Form.OBJECTS && from.form == Form.OBJECTS)
        {
            System.arraycopy(from.objects, fromRow, objects, row, count);
        }
        else
        {
            for (int i = 0; i < count; i++)
            {
                copy(from, fromRow + i, row + i);
            }
        }
        rows = Math.max(rows, row + count);
    }

    /**
     * Copies strings of selected rows of another column to consecutive rows, like {@link #copyRows}.
     *
     * @param from      of another batch
     * @param selection rows of the other column
     * @param first     first index in the selection
     * @param row       first row to write; rows are written in ascending order
     * @param count     how many
     */
    public void copySelected(
        final CharColumn from, final int[] selection, final int first, final int row, final int count)
    {
        adopt(from, row);
        for (int i = 0; i < count; i++)
        {
            copy(from, selection[first + i], row + i);
        }
        rows = Math.max(rows, row + count);
    }

    private void copy(final CharColumn from, final int fromRow, final int row)
    {
        if (from.form == Form.NULLS)
        {
            setNull(row);
        }
        else if (form == Form.OBJECTS)
        {
            objects[row] = from.objects[fromRow];
        }
        else
        {
            copyBytes(from, fromRow, row);
        }
    }

    private void copyBytes(final CharColumn from, final int fromRow, final int row)
    {
        if (from.form == Form.BYTES)
        {
            bytes.put(row, from.bytes, fromRow);
        }
        else if (from.isNull(fromRow))
        {
            bytes.setNull(row);
        }
        else if (from.form == Form.CODES)
        {
            bytes.put(row, from.table, from.codes[fromRow], from.table.length(from.codes[fromRow]));
        }
        else
        {
            final byte[] text = from.utf8(fromRow);
            bytes.put(row, text, 0, text.length);
        }
    }

    /**
     * Uses the representation of another column when the first row is written; later switches to bytes when they
     * differ.
     */
    private void adopt(final CharColumn from, final int written)
    {
        // Codes of a table may be reassigned before this column is read.
        final Form held = from.form == Form.CODES ? Form.BYTES : from.form;
        if (form == Form.NULLS || written == 0)
        {
            begin(held);
        }
        else if (form != Form.BYTES && form != held && held != Form.NULLS)
        {
            makeBytes(written);
        }
    }

    /** Converts rows of another representation to bytes. */
    private void makeBytes(final int count)
    {
        bytes.begin();
        for (int row = 0; row < count; row++)
        {
            copyBytes(this, row, row);
        }
        form = Form.BYTES;
        table = null;
        rows = count;
    }

    /**
     * Shows rows of another column instead of this column's rows, for batches that are sent before the other column is
     * filled again. Bytes are not copied.
     *
     * @param from      of another batch
     * @param selection rows of the other column; {@code null} for all from 0
     * @param count     how many
     */
    public void show(final CharColumn from, final int[] selection, final int count)
    {
        if (from.form == Form.CODES)
        {
            writeCodes(from.table);
            for (int i = 0; i < count; i++)
            {
                codes[i] = from.codes[selection == null ? i : selection[i]];
            }
            return;
        }
        if (from.form != Form.BYTES)
        {
            form = Form.NULLS;
            if (selection == null)
            {
                copyRows(from, 0, 0, count);
            }
            else
            {
                copySelected(from, selection, 0, 0, count);
            }
            return;
        }
        begin(Form.BYTES);
        bytes.show(from.bytes, selection, count);
        rows = count;
    }
}
