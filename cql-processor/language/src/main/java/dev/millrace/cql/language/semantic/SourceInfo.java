package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.types.CqlTypes;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;

/**
 * The columns and the kind of a source in FROM. Immutable.
 *
 * @param name          name as declared
 * @param kind          kind of source
 * @param keyProperties columns of a cache's key, otherwise empty
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
        /** A table of a database, or the result of a table function. */
        TABLE,
        /** A view whose own rule has problems: its columns are unknown. */
        BROKEN
    }

    /**
     * A column.
     *
     * @param name      name as declared
     * @param javaClass class of its values; {@code Object} when the class of an object is not known
     */
    public record Column(String name, CqlType type, Class<?> javaClass)
    {
        /** A column of which only the type is known. */
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
     * @param column case-insensitive name
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

    /** The names of the columns in order. */
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
