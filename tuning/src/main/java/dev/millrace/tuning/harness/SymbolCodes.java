package dev.millrace.tuning.harness;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.string.StringTable;

/** Numbers of the symbols in the output, independent of how a column stores them. Not thread-safe. */
public final class SymbolCodes
{
    /** Table for numbers that only a hand-written loop and its checksum know. */
    private static final StringTable NUMBERS = new StringTable(StringTable.Lifetime.HELD, 1);

    private final StringTable symbols;
    private final int[] numbers = new int[EventBatch.CAPACITY];

    /**
     * For columns of codes.
     *
     * @param symbols contains all symbols
     */
    public SymbolCodes(final StringTable symbols)
    {
        this.symbols = symbols;
    }

    /**
     * For numbers that count up from 1.
     *
     * @param names all symbols, in order
     */
    public static SymbolCodes of(final String[] names)
    {
        final StringTable symbols = new StringTable(StringTable.Lifetime.HELD, Integer.MAX_VALUE - 1);
        for (final String name : names)
        {
            symbols.literal(name);
        }
        return new SymbolCodes(symbols);
    }

    /** The first column as an array in which a hand-written loop writes numbers of symbols. */
    public static int[] numbers(final EventBatch batch)
    {
        return batch.texts(0).writeCodes(NUMBERS);
    }

    /** The numbers of the first rows; a column of numbers or codes already contains them. */
    public int[] of(final CharColumn texts, final int rows)
    {
        final int[] codes = texts.codesOf(symbols);
        final int[] known = codes != null ? codes : texts.codesOf(NUMBERS);
        if (known == null)
        {
            texts.codes(symbols, null, rows, numbers);
        }
        return known != null ? known : numbers;
    }
}
