package dev.millrace.tuning;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;

/** Numbers of the symbols that come out, the same however a column holds them. One thread. */
final class SymbolCodes
{
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
     * Numbers count up from 1, as ids do that a dictionary gives.
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

    /** The numbers of the first rows; a column of ids has them already. */
    int[] of(final Texts texts, final int rows)
    {
        final int[] codes = texts.codesOf(symbols);
        final int[] known = codes != null ? codes : texts.idsIfWritten();
        if (known == null)
        {
            texts.codes(symbols, null, rows, numbers);
        }
        return known != null ? known : numbers;
    }
}
