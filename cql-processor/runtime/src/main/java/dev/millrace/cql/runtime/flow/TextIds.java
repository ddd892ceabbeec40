package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.Dictionary;
import dev.millrace.cql.runtime.RowRejection;

/**
 * Ids of texts in a dictionary: remembers those that came lately, so that a text is not encoded for each row.
 *
 * <p>Threads: the engine's.
 */
final class TextIds
{
    private static final int PLACES = 1024;
    private static final int SPREAD = 16;

    private final Dictionary dictionary;
    private final String[] texts = new String[PLACES];
    private final int[] ids = new int[PLACES];

    TextIds(final Dictionary dictionary)
    {
        this.dictionary = dictionary;
    }

    /**
     * The id of a text.
     *
     * @throws RowRejectedException when the dictionary has no room for it
     */
    int idOf(final String text)
    {
        final int hash = text.hashCode();
        final int place = (hash ^ hash >>> SPREAD) & PLACES - 1;
        if (text.equals(texts[place]))
        {
            return ids[place];
        }
        final int id = dictionary.idOf(text);
        if (id == Dictionary.FULL)
        {
            throw new RowRejectedException(RowRejection.STATE_FULL, "dictionary has no room for a text, domain=" +
                dictionary.domain() + " maxEntries=" + dictionary.maxEntries());
        }
        texts[place] = text;
        ids[place] = id;
        return id;
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
