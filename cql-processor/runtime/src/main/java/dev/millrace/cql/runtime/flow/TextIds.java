package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.Dictionary;

/**
 * Ids of texts in a dictionary: remembers those that came lately, so that a text is not encoded for each row. Texts
 * that push each other out make it greater, up to {@value #MOST_PLACES} places.
 *
 * <p>Threads: the engine's.
 */
public final class TextIds
{
    static final int MOST_PLACES = 1 << 16;

    private static final int FEWEST_PLACES = 1 << 10;
    /** Places next to each other where a text may be. */
    private static final int WAYS = 4;
    /** Odd, its bits without pattern: neighbouring hashes end far from each other. */
    private static final int SPREAD = 0x9E3779B9;

    private final Dictionary dictionary;
    private String[] texts = new String[FEWEST_PLACES];
    private int[] ids = new int[FEWEST_PLACES];
    private int pushedOut;

    /**
     * Remembers nothing yet.
     *
     * @param dictionary gives ids
     */
    public TextIds(final Dictionary dictionary)
    {
        this.dictionary = dictionary;
    }

    /**
     * The id of a text.
     *
     * @param text neither {@code null} nor empty
     * @return its id
     * @throws RowRejectedException when the dictionary has no room for it
     */
    public int idOf(final String text)
    {
        final int first = first(text);
        final int mask = texts.length - 1;
        for (int way = 0; way < WAYS; way++)
        {
            final int place = first + way & mask;
            if (text.equals(texts[place]))
            {
                return ids[place];
            }
        }
        final int id = dictionary.idOf(text);
        if (id == Dictionary.FULL)
        {
            throw new RowRejectedException(dictionary.fullReason(), dictionary.fullDetail());
        }
        if (!keep(text, id) && ++pushedOut >= texts.length / 4 && texts.length < MOST_PLACES)
        {
            grow();
        }
        return id;
    }

    private int first(final String text)
    {
        return text.hashCode() * SPREAD >>> Integer.numberOfLeadingZeros(texts.length - 1);
    }

    /** Remembers a text; says whether there was a free place, else the one at its first place is forgotten. */
    private boolean keep(final String text, final int id)
    {
        final int first = first(text);
        int place = first;
        for (int way = 1; way < WAYS && texts[place] != null; way++)
        {
            place = first + way & texts.length - 1;
        }
        final boolean isFree = texts[place] == null;
        place = isFree ? place : first;
        texts[place] = text;
        ids[place] = id;
        return isFree;
    }

    /** Twice the places; what is remembered stays. */
    private void grow()
    {
        final String[] oldTexts = texts;
        final int[] oldIds = ids;
        texts = new String[oldTexts.length * 2];
        ids = new int[oldIds.length * 2];
        pushedOut = 0;
        for (int i = 0; i < oldTexts.length; i++)
        {
            if (oldTexts[i] != null)
            {
                keep(oldTexts[i], oldIds[i]);
            }
        }
    }

    /** Places for texts. */
    int places()
    {
        return texts.length;
    }

    /** One for each column of a batch that holds ids; {@code null} for the others. */
    static TextIds[] of(final BatchSchema schema)
    {
        final TextIds[] all = new TextIds[schema.columnCount()];
        for (int column = 0; column < all.length; column++)
        {
            if (schema.storage(column) == ColumnStorage.DICTIONARY)
            {
                all[column] = new TextIds(schema.dictionary(column));
            }
        }
        return all;
    }
}
