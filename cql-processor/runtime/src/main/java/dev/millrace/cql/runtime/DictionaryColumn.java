package dev.millrace.cql.runtime;

import dev.millrace.api.event.Dictionary;

/**
 * A char column of the bindings of a pipeline, for generated code that needs its dictionary.
 *
 * @param place  whose column it is
 * @param id     query or relation id; {@code null} for the source
 * @param column index from 0
 */
public record DictionaryColumn(Place place, String id, int column)
{
    /** Whose column. */
    public enum Place
    {
        /** The batches that come in. */
        SOURCE,
        /** A looked-up relation. */
        RELATION,
        /** The rows of a query. */
        OUTPUT
    }

    Dictionary dictionary(final PipelineBindings bindings)
    {
        return switch (place)
        {
            case SOURCE -> bindings.source().dictionary(column);
            case RELATION -> bindings.relation(id).schema().dictionary(column);
            case OUTPUT -> bindings.outputSchema(id).dictionary(column);
        };
    }
}
