package dev.millrace.api.event;

import dev.millrace.api.text.Codes;
import dev.millrace.api.text.TextBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The values of a char column of a batch. Whoever reads or writes texts asks the column; how it holds them may differ
 * from filling to filling:
 * <ul>
 *   <li>as <b>bytes</b>: the first eight of each text as a word, the rest in an array of the column;</li>
 *   <li>as <b>objects</b>: strings, as beans, maps and tuples bring them;</li>
 *   <li>as <b>codes</b>: equal ints for equal texts, ids of the column's dictionary.</li>
 * </ul>
 * Texts that are only carried on, or compared with literals, stay what they are; {@link #codes()} makes codes of them
 * for state and keys, of short ones all at once. A column with long ones, or objects, that was asked for codes of one
 * filling expects to be asked again: writers then code while they write, which costs less.
 *
 * <p>Threads and ownership: those of the batch. A view shares the column of its source.
 */
public final class Texts
{
    /** In {@link #known()}: a text that the dictionary does not have. Greater than all ids. */
    public static final int UNKNOWN = Integer.MAX_VALUE;

    /** Longer texts of objects are copied as objects. */
    private static final int SCRATCH_BYTES = 64;

    private static final byte[] NONE = new byte[0];

    private final Dictionary dictionary;
    private final int[] codes = new int[EventBatch.CAPACITY];
    private final TextRows bytes = new TextRows();
    private String[] objects;
    private Form form = Form.CODES;
    /** No text of this filling has been written: the next one says how it is held. */
    private boolean isOpen = true;
    /** Rows that are held as bytes or objects; those of them whose codes are made; those looked up at least. */
    private int rows;
    private int coded;
    private int lookedUp;
    /** Ids of texts that have one, and of how many rows; {@code null} until they were asked for. */
    private int[] found;
    private int foundRows;
    private int foundIds;
    /** Whether a code of this filling is {@link Dictionary#FULL}. */
    private boolean lacksRoom;
    /** Whether codes of this filling were asked for, and of the last one. */
    private boolean isAsked;
    private boolean wasAsked;
    private StringCache strings;
    private byte[] scratch;

    private enum Form
    {
        CODES, BYTES, OBJECTS
    }

    Texts(final Dictionary dictionary)
    {
        this.dictionary = dictionary;
    }

    /**
     * A new filling begins.
     *
     * @param hadRows whether the last one had any: one without was read by nobody, and says nothing of the next
     */
    void clear(final boolean hadRows)
    {
        wasAsked = isOpen ? wasAsked : isAsked || wasAsked && !hadRows;
        isAsked = false;
        isOpen = true;
        form = Form.CODES;
        rows = 0;
        coded = 0;
        lookedUp = 0;
        foundRows = 0;
        lacksRoom = false;
        bytes.clear();
    }

    /** Bytes that longer texts of all fillings have taken so far. */
    int arrayBytes()
    {
        return bytes.arrayBytes();
    }

    /** Gives them back; only while the column is empty. */
    void trim()
    {
        bytes.trim();
    }

    /** Whether texts of another column that are held as bytes can be written without taking more. */
    boolean hasRoom(final Texts from, final int fromRow, final int count)
    {
        long more = 0;
        for (int row = fromRow; from.form == Form.BYTES && row < fromRow + count; row++)
        {
            final int length = from.bytes.length(row);
            more += length > Long.BYTES ? length : 0;
        }
        return bytes.hasRoom(more);
    }

    private void begin(final Form chosen)
    {
        isOpen = false;
        form = chosen;
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
     * Equal ints for equal texts: ids of the column's {@link BatchSchema#dictionary dictionary}, which keeps the texts.
     * What state and keys are made of; whoever only carries texts does not need them. A writer may fill the array
     * instead of writing texts, all rows of a filling or none.
     *
     * @return one a row, {@value Dictionary#NULL_ID} for null; the array itself
     * @throws IllegalStateException when the dictionary has no room for a text
     */
    public int[] codes()
    {
        final int[] made = codesOrFull();
        if (lacksRoom)
        {
            throw new IllegalStateException("no room for another text, " + dictionary.fullDetail());
        }
        return made;
    }

    /**
     * As {@link #codes()}, for readers who reject the rows whose texts the dictionary has no room for.
     *
     * @return one a row, {@value Dictionary#FULL} for a text without room; the array itself
     */
    public int[] codesOrFull()
    {
        isAsked = true;
        isOpen = false;
        if (form == Form.CODES)
        {
            return codes;
        }
        if (form == Form.BYTES && bytes.find(coded, rows, dictionary, codes))
        {
            coded = rows;
            lookedUp = rows;
            return codes;
        }
        for (int row = coded; row < rows; row++)
        {
            codes[row] = form == Form.OBJECTS ? dictionary.idOf(objects[row]) : bytes.idOf(row, dictionary);
            lacksRoom |= codes[row] == Dictionary.FULL;
        }
        coded = rows;
        lookedUp = rows;
        return codes;
    }

    /**
     * Whether {@link #codes()} are there without taking any text in: the column was written as codes.
     *
     * @return true when the dictionary has all texts
     */
    public boolean isCoded()
    {
        return form == Form.CODES;
    }

    /**
     * The codes, where the column was written as codes. Other than {@link #codes()}, asking for them does not make
     * writers code.
     *
     * @return one a row, the array itself; {@code null} where texts lie here by value
     */
    public int[] codesIfWritten()
    {
        return form == Form.CODES ? codes : null;
    }

    /**
     * The code of a text in a table of the reader's, which takes it in. The dictionary of the column does not.
     *
     * @param row   index from 0
     * @param table of the reader's thread
     * @return code, {@link Codes#NULL} for null, {@link Codes#FULL} when the table has no room
     */
    public int code(final int row, final Codes table)
    {
        if (form == Form.BYTES)
        {
            return bytes.code(row, table);
        }
        final int length = ascii(row);
        if (length >= 0)
        {
            return table.code(scratch(), 0, length);
        }
        final byte[] text = utf8(row);
        return table.code(text, 0, text.length);
    }

    /**
     * The code of a text in a table that does not take it in.
     *
     * @param row   index from 0
     * @param table of the reader's thread
     * @return code, {@link Codes#NULL} for null and for a text that the table does not have
     */
    public int find(final int row, final Codes table)
    {
        if (form == Form.BYTES)
        {
            return bytes.find(row, table);
        }
        final int length = ascii(row);
        if (length >= 0)
        {
            return table.find(scratch(), 0, length);
        }
        final byte[] text = utf8(row);
        return table.find(text, 0, text.length);
    }

    /** Copies a text that is null or an object of ASCII; gives its length, -1 for others. */
    private int ascii(final int row)
    {
        return isNull(row) ? 0 : form == Form.OBJECTS ? TextBytes.copyAscii(objects[row], scratch()) : -1;
    }

    private byte[] scratch()
    {
        scratch = scratch == null ? new byte[SCRATCH_BYTES] : scratch;
        return scratch;
    }

    /**
     * Whether the dictionary had no room for a text of this filling when its codes were made.
     *
     * @return true when {@link #codesOrFull()} has {@value Dictionary#FULL} for a row
     */
    public boolean lacksRoom()
    {
        return lacksRoom;
    }

    /**
     * Where the codes of the column come from.
     *
     * @return the column's dictionary
     */
    public Dictionary dictionary()
    {
        return dictionary;
    }

    /**
     * As {@link #codes()}, but the dictionary takes in no text: for comparisons with texts that it has, such as
     * literals.
     *
     * @return one a row: the id, {@value Dictionary#NULL_ID} for null, {@link #UNKNOWN} for a text that the dictionary
     *     does not have; the array itself
     */
    public int[] known()
    {
        if (form == Form.CODES)
        {
            return codes;
        }
        for (int row = Math.max(coded, lookedUp); row < rows; row++)
        {
            final int id = form == Form.OBJECTS ? dictionary.find(objects[row]) : bytes.find(row, dictionary);
            codes[row] = id == Dictionary.NULL_ID && !isNull(row) ? UNKNOWN : id;
        }
        lookedUp = rows;
        return codes;
    }

    /**
     * As {@link #codes()}, but the dictionary takes in no text: for look-ups in what has its ids as keys, such as a
     * relation, where a text without an id is found as little as null.
     *
     * @return one a row: the id, {@value Dictionary#NULL_ID} for null and for a text that the dictionary does not have;
     *     an array that is not written
     */
    public int[] found()
    {
        if (form == Form.CODES || coded == rows && !lacksRoom)
        {
            return codes;
        }
        found = found == null ? new int[EventBatch.CAPACITY] : found;
        // Texts that had no id may have got one since, by a change of a relation.
        final int ids = dictionary.size();
        foundRows = ids == foundIds ? foundRows : 0;
        foundIds = ids;
        for (int row = foundRows; row < rows; row++)
        {
            found[row] = form == Form.OBJECTS ? dictionary.find(objects[row]) : bytes.find(row, dictionary);
        }
        foundRows = rows;
        return found;
    }

    /**
     * For writers with many rows: where the codes of this filling go, when it is coded while it is written. That pays
     * where texts are long; short ones are coded faster all at once.
     *
     * @return array to fill, {@code null} when texts are to be written as bytes
     */
    public int[] codesToWrite()
    {
        if (isOpen)
        {
            begin(wasAsked && bytes.hasOthers() ? Form.CODES : Form.BYTES);
        }
        else if (form == Form.OBJECTS)
        {
            makeBytes(rows);
        }
        return form == Form.CODES ? codes : null;
    }

    /**
     * Whether a row has no text. The empty string is null.
     *
     * @param row index from 0
     * @return true when null
     */
    public boolean isNull(final int row)
    {
        return switch (form)
        {
            case CODES -> codes[row] == Dictionary.NULL_ID;
            case BYTES -> bytes.length(row) == 0;
            case OBJECTS -> objects[row] == null;
        };
    }

    /**
     * A text as an object, for the edge. Texts that were asked for lately are found again, so that few are made.
     *
     * @param row index from 0
     * @return the text, {@code null} for null
     */
    public String string(final int row)
    {
        switch (form)
        {
            case CODES:
                return dictionary.string(codes[row]);
            case OBJECTS:
                return objects[row];
            default:
                strings = strings == null ? new StringCache() : strings;
                return bytes.string(row, strings);
        }
    }

    /**
     * The length of a text.
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
     * Copies the UTF-8 bytes of a text.
     *
     * @param row index from 0
     * @param to  takes the bytes; must have room for {@link #length(int)}
     * @param at  of the first byte
     * @return how many were copied, 0 for null
     */
    public int copy(final int row, final byte[] to, final int at)
    {
        if (form == Form.BYTES)
        {
            return bytes.copy(row, to, at);
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
     * Whether two texts are equal.
     *
     * @param row      index from 0
     * @param other    column of this or another batch, whatever its dictionary
     * @param otherRow index in that column
     * @return true also when both are null
     */
    public boolean isEqual(final int row, final Texts other, final int otherRow)
    {
        if (form == Form.CODES && other.form == Form.CODES && dictionary == other.dictionary)
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

    /** Two objects that differ may be written alike, where UTF-8 cannot carry half of a surrogate pair. */
    private boolean isEqualAsBytes(final int row, final Texts other, final int otherRow)
    {
        return !isNull(row) && !other.isNull(otherRow) && (ascii(row) < 0 || other.ascii(otherRow) < 0) &&
            Arrays.equals(utf8(row), other.utf8(otherRow));
    }

    /** An array that begins with the bytes of a text, until the next call. */
    private byte[] lent(final int row, final int length)
    {
        final byte[] text = length > SCRATCH_BYTES ? new byte[length] : scratch();
        copy(row, text, 0);
        return text;
    }

    /** The bytes of a text that is not null and not held as bytes. */
    private byte[] utf8(final int row)
    {
        return form == Form.CODES ? dictionary.bytes(codes[row]) : objects[row].getBytes(StandardCharsets.UTF_8);
    }

    /**
     * A hash of a text that depends on its bytes alone, the same in all columns of this process.
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
        final int length = form == Form.OBJECTS ? TextBytes.copyAscii(objects[row], scratch()) : -1;
        if (length >= 0)
        {
            return TextBytes.hash(scratch, 0, length);
        }
        final byte[] text = utf8(row);
        return TextBytes.hash(text, 0, text.length);
    }

    /**
     * Writes a text.
     *
     * @param row  index from 0
     * @param text {@code null} and the empty string are null
     * @return false when the column has no room for another text; the row must not be sent then
     */
    public boolean set(final int row, final String text)
    {
        if (text == null || text.isEmpty())
        {
            setNull(row);
            return true;
        }
        if (isOpen)
        {
            begin(wasAsked ? Form.CODES : Form.OBJECTS);
        }
        if (form == Form.CODES)
        {
            codes[row] = dictionary.idOf(text);
            return codes[row] != Dictionary.FULL;
        }
        if (form == Form.OBJECTS)
        {
            objects[row] = text;
        }
        else
        {
            final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            bytes.put(row, utf8, 0, utf8.length);
        }
        written(row);
        return true;
    }

    /**
     * Writes a text given as UTF-8 bytes, which are copied.
     *
     * @param row    index from 0
     * @param from   holds the text
     * @param at     of its first byte
     * @param length in bytes; 0 is null
     * @return false when the column has no room for another text; the row must not be sent then
     */
    public boolean set(final int row, final byte[] from, final int at, final int length)
    {
        if (length == 0)
        {
            setNull(row);
            return true;
        }
        if (isOpen)
        {
            begin(wasAsked ? Form.CODES : Form.BYTES);
        }
        if (form == Form.CODES)
        {
            codes[row] = dictionary.idOf(from, at, length);
            return codes[row] != Dictionary.FULL;
        }
        if (form == Form.OBJECTS)
        {
            objects[row] = new String(from, at, length, StandardCharsets.UTF_8);
        }
        else
        {
            bytes.put(row, from, at, length);
        }
        written(row);
        return true;
    }

    /**
     * As {@link #set(int, byte[], int, int)}, but never without room: who asks for codes of the column learns of that.
     *
     * @param row    index from 0; rows are written in ascending order
     * @param from   holds the text
     * @param at     of its first byte
     * @param length in bytes; 0 is null
     */
    public void put(final int row, final byte[] from, final int at, final int length)
    {
        if (!set(row, from, at, length))
        {
            makeBytes(row);
            set(row, from, at, length);
        }
    }

    /**
     * Writes a text that has a code.
     *
     * @param row   index from 0
     * @param table of the writer's thread
     * @param code  of the text, {@link Codes#NULL} for null
     * @return false when the column has no room for another text; the row must not be sent then
     */
    public boolean set(final int row, final Codes table, final int code)
    {
        final int length = table.length(code);
        if (isOpen && length > 0)
        {
            begin(wasAsked ? Form.CODES : Form.BYTES);
        }
        else if (form == Form.CODES && !wasAsked && length > 0)
        {
            // Rows before have ids of their own; nobody has asked for one of this text.
            makeBytes(row);
        }
        if (form == Form.BYTES && length > 0)
        {
            bytes.put(row, table, code, length);
            written(row);
            return true;
        }
        final byte[] text = length > SCRATCH_BYTES ? new byte[length] : scratch();
        table.copy(code, text, 0);
        return set(row, text, 0, length);
    }

    /** Null is null in every form, so it does not say how a filling is held. */
    void setNull(final int row)
    {
        codes[row] = Dictionary.NULL_ID;
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
        coded = Math.min(coded, row);
        lookedUp = Math.min(lookedUp, row);
        foundRows = Math.min(foundRows, row);
    }

    /**
     * Writes a text of one to eight bytes of which the last is not 0, in a filling that is written as bytes.
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
     * For writers with many rows, after {@link #codesToWrite} gave {@code null}: where the heads of texts go that
     * {@link #setHead} takes. Who fills the array says so by {@link #wroteHeads}.
     *
     * @return one a row, the array itself
     */
    public long[] heads()
    {
        return bytes.heads();
    }

    /**
     * As {@link #heads}, for lengths in bytes.
     *
     * @return one a row, the array itself
     */
    public int[] lengths()
    {
        return bytes.lengths();
    }

    /**
     * Rows have been written by {@link #heads} and {@link #lengths}.
     *
     * @param count of all rows that have been written, however
     */
    public void wroteHeads(final int count)
    {
        rows = Math.max(rows, count);
    }

    /**
     * As {@link #set(int, Codes, int)}, but never without room: who asks for codes of the column learns of that. The
     * dictionary takes the text in only where codes were asked for.
     *
     * @param table of the writer's thread
     * @param code  of the text, {@link Codes#NULL} for null
     * @param row   index from 0; rows are written in ascending order
     */
    public void copyCode(final Codes table, final int code, final int row)
    {
        final boolean isCodedUnasked = form == Form.CODES && !isOpen && !wasAsked;
        if (isCodedUnasked || !set(row, table, code))
        {
            makeBytes(row);
            set(row, table, code);
        }
    }

    /**
     * Writes a text that a dictionary has, where this column is held as codes of the same.
     *
     * @param row index from 0; rows are written in ascending order
     * @param id  of the text
     * @param of  gave the id
     * @return false when the column is held otherwise: nothing was written
     */
    public boolean setId(final int row, final int id, final Dictionary of)
    {
        if (form != Form.CODES || of != dictionary)
        {
            return false;
        }
        isOpen = false;
        codes[row] = id;
        return true;
    }

    /** Puts texts into places of a ring behind one another. */
    void put(final int[] selection, final int first, final int count, final TextRing ring, final int start)
    {
        switch (form)
        {
            case BYTES -> bytes.put(selection, first, count, ring, start);
            case OBJECTS -> ring.putStrings(objects, selection, first, count, start);
            default ->
            {
                for (int i = ring.putIds(codes, dictionary, selection, first, count, start) ? count : 0; i < count; i++)
                {
                    final int id = codes[selection == null ? first + i : selection[first + i]];
                    ring.put(start + i, id == Dictionary.NULL_ID ? NONE : dictionary.bytes(id));
                }
            }
        }
    }

    /** Writes texts that come out of a ring as ids. */
    void takeIds(final int row, final long[] ids, final int place, final int count, final Dictionary of)
    {
        final boolean isSame = form == Form.CODES && of == dictionary;
        isOpen &= !isSame;
        for (int i = 0; i < count; i++)
        {
            final int id = (int)ids[place + i];
            if (isSame)
            {
                codes[row + i] = id;
            }
            else
            {
                final byte[] text = id == Dictionary.NULL_ID ? NONE : of.bytes(id);
                take(row + i, TextBytes.head(text, 0, text.length), text, text.length);
            }
        }
    }

    /** Writes strings that come out of a ring, which forgets them. */
    void takeStrings(final int row, final String[] texts, final int place, final int count)
    {
        if (isOpen && !wasAsked)
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
            if (!set(row + i, texts[place + i]))
            {
                makeBytes(row + i);
                set(row + i, texts[place + i]);
            }
        }
        Arrays.fill(texts, place, place + count, null);
    }

    /** Writes texts that come out of a ring, if all are null or their heads; else nothing. */
    boolean takeHeads(final int row, final long[] heads, final int[] lengths, final int place, final int count)
    {
        if (isOpen && !wasAsked)
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
     * Writes a text that comes out of a ring. Who asks for codes learns when the dictionary has no room for it.
     *
     * @param row    index from 0
     * @param head   its first eight bytes
     * @param text   has it from its first byte on, unless it is its head
     * @param length in bytes; 0 is null
     */
    void take(final int row, final long head, final byte[] text, final int length)
    {
        if (length == 0)
        {
            setNull(row);
            return;
        }
        if (isOpen)
        {
            begin(wasAsked ? Form.CODES : Form.BYTES);
        }
        else if (form == Form.CODES && !wasAsked)
        {
            // Rows before had ids; nobody has asked for one of this text.
            makeBytes(row);
        }
        final boolean isHead = TextBytes.isHead(head, length);
        if (form == Form.CODES)
        {
            codes[row] = isHead ? dictionary.idOfPacked(head) : dictionary.idOf(text, 0, length);
            if (codes[row] != Dictionary.FULL)
            {
                return;
            }
            makeBytes(row);
        }
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
     * Writes the text that a column has at a row.
     *
     * @param from    of this or another batch, whatever its dictionary
     * @param fromRow its row
     * @param row     index from 0; rows are written in ascending order
     */
    public void copyRow(final Texts from, final int fromRow, final int row)
    {
        copyRows(from, fromRow, row, 1);
    }

    /**
     * Writes texts that lie side by side in another column. Bytes are copied, so that the other column may be filled
     * anew.
     *
     * @param from    of another batch, whatever its dictionary
     * @param fromRow its first row
     * @param row     first row to write; rows are written in ascending order
     * @param count   how many
     */
    public void copyRows(final Texts from, final int fromRow, final int row, final int count)
    {
        adopt(from, row);
        switch (form)
        {
            case CODES -> System.arraycopy(from.codes, fromRow, codes, row, count);
            case OBJECTS -> System.arraycopy(from.objects, fromRow, objects, row, count);
            default ->
            {
                for (int i = 0; i < count; i++)
                {
                    copyBytes(from, fromRow + i, row + i);
                }
            }
        }
        written(row);
        rows = Math.max(rows, row + count);
    }

    /**
     * Writes chosen texts of another column behind one another, as {@link #copyRows} does for those side by side.
     *
     * @param from      of another batch, whatever its dictionary
     * @param selection rows of the other column
     * @param first     first of the selection
     * @param row       first row to write; rows are written in ascending order
     * @param count     how many
     */
    public void copySelected(
        final Texts from, final int[] selection, final int first, final int row, final int count)
    {
        adopt(from, row);
        for (int i = 0; i < count; i++)
        {
            final int fromRow = selection[first + i];
            switch (form)
            {
                case CODES -> codes[row + i] = from.codes[fromRow];
                case OBJECTS -> objects[row + i] = from.objects[fromRow];
                default -> copyBytes(from, fromRow, row + i);
            }
        }
        written(row);
        rows = Math.max(rows, row + count);
    }

    private void copyBytes(final Texts from, final int fromRow, final int row)
    {
        if (from.form == Form.BYTES)
        {
            bytes.put(row, from.bytes, fromRow);
        }
        else if (from.isNull(fromRow))
        {
            bytes.setNull(row);
        }
        else
        {
            final byte[] text = from.utf8(fromRow);
            bytes.put(row, text, 0, text.length);
        }
    }

    /**
     * Texts of another column are held as there when the first row is written, else as bytes unless it fits.
     */
    private void adopt(final Texts from, final int written)
    {
        final boolean isForeign = from.form == Form.CODES && from.dictionary != dictionary;
        if (isOpen || written == 0)
        {
            begin(isForeign ? Form.BYTES : from.form);
        }
        else if (form != Form.BYTES && (form != from.form || isForeign))
        {
            makeBytes(written);
        }
    }

    /** Rows that were held in another form are held as bytes from here on. */
    private void makeBytes(final int count)
    {
        bytes.begin();
        for (int row = 0; row < count; row++)
        {
            copyBytes(this, row, row);
        }
        form = Form.BYTES;
        rows = count;
        coded = 0;
        lookedUp = 0;
        foundRows = 0;
    }

    /**
     * Shows rows of another column instead of what this one has: for batches that are sent before the other column is
     * filled anew. Bytes are not copied.
     *
     * @param from      of another batch, whatever its dictionary
     * @param selection rows of the other column; {@code null} for all from 0
     * @param count     how many
     */
    public void show(final Texts from, final int[] selection, final int count)
    {
        isOpen = true;
        if (from.form != Form.BYTES)
        {
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
        coded = 0;
        lookedUp = 0;
        foundRows = 0;
    }
}
