package dev.millrace.tuning;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;

/** Numbers of the symbols that come out, the same however a column holds them. One thread. */
final class SymbolCodes
{
    /** Stands for numbers that a loop by hand and its tally know. */
    private static final Codes NUMBERS = new Codes(Codes.Lifetime.HELD, 1);

    private final Codes symbols;
    private final int[] numbers = new int[EventBatch.CAPACITY];

    /**
     * Numbers are codes.
     *
     * @param symbols has all of them
     */
    SymbolCodes(final Codes symbols)
    {
        this.symbols = symbols;
    }

    /**
     * Numbers count up from 1.
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

    /** Where a loop by hand writes numbers of symbols, in the first column. */
    static int[] numbers(final EventBatch batch)
    {
        return batch.texts(0).writeCodes(NUMBERS);
    }

    /** The numbers of the first rows; a column of numbers or codes has them already. */
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
