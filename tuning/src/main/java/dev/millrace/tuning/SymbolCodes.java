package dev.millrace.tuning;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;

/** Numbers of the symbols in the output, independent of how a column stores them. Not thread-safe. */
final class SymbolCodes
{
    /** Table for numbers that only a hand-written loop and its checksum know. */
    private static final Codes NUMBERS = new Codes(Codes.Lifetime.HELD, 1);

    private final Codes symbols;
    private final int[] numbers = new int[EventBatch.CAPACITY];

    /**
     * For columns of codes.
     *
     * @param symbols contains all symbols
     */
    SymbolCodes(final Codes symbols)
    {
        this.symbols = symbols;
    }

    /**
     * For numbers that count up from 1.
     *
     * @param names all symbols, in order
     */
    static SymbolCodes of(final String[] names)
    {
        final Codes symbols = new Codes(Codes.Lifetime.HELD, Integer.MAX_VALUE - 1);
        for (final String name : names)
        {
            symbols.literal(name);
        }
        return new SymbolCodes(symbols);
    }

    /** The first column as an array in which a hand-written loop writes numbers of symbols. */
    static int[] numbers(final EventBatch batch)
    {
        return batch.texts(0).writeCodes(NUMBERS);
    }

    /** The numbers of the first rows; a column of numbers or codes already contains them. */
    int[] of(final Texts texts, final int rows)
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
