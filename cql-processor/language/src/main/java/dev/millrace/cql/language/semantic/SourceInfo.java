package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.types.CqlTypes;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;

/**
 * What a statement knows about something in FROM. Immutable.
 *
 * @param name          name as declared
 * @param kind          what it is
 * @param columns       its columns
 * @param keyProperties columns of a cache's key, else empty
 */
public record SourceInfo(String name, Kind kind, List<Column> columns, List<String> keyProperties)
{
    /** Kinds of sources. */
    public enum Kind
    {
        /** A stream: channel or view. */
        STREAM,
        /** A relation: channel or view. */
        RELATION,
        /** A cache. */
        CACHE,
        /** A table of a database, or of what a function gives. */
        TABLE,
        /** A view whose own rule has problems: nothing is known about it. */
        BROKEN
    }

    /**
     * A column.
     *
     * @param name      name as declared
     * @param type      its type
     * @param javaClass class of its values; {@code Object} when the class of an object is not known
     */
    public record Column(String name, CqlType type, Class<?> javaClass)
    {
        /**
         * A column of which no more than the type is known.
         *
         * @param name name as declared
         * @param type its type
         */
        public Column(final String name, final CqlType type)
        {
            this(name, type, type.javaClass());
        }
    }

    /** Copies the lists. */
    public SourceInfo
    {
        columns = List.copyOf(columns);
        keyProperties = List.copyOf(keyProperties);
    }

    /**
     * Finds a column.
     *
     * @param column name, case ignored
     * @return index from 0, or -1
     */
    public int indexOf(final String column)
    {
        for (int i = 0; i < columns.size(); i++)
        {
            if (columns.get(i).name().equalsIgnoreCase(column))
            {
                return i;
            }
        }
        return -1;
    }

    /**
     * The names of the columns.
     *
     * @return in order
     */
    public List<String> columnNames()
    {
        return columns.stream().map(Column::name).collect(Collectors.toList());
    }

    RelDataType rowType()
    {
        final RelDataTypeFactory.Builder builder = CqlTypes.FACTORY.builder();
        for (final Column column : columns)
        {
            builder.add(column.name(), CqlTypes.toCalcite(column.type(), column.javaClass(), true));
        }
        return builder.build();
    }
}
