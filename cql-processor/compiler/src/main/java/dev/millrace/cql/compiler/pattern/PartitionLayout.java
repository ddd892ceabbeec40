package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionParts;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Storage of a partition: flags, the columns of its key, and columns and times of rows before the current one.
 *
 * <p>Immutable after construction.
 */
public final class PartitionLayout
{
    /** Maximum number of flags of a partition, without the one for its deadline. */
    private static final int MAX_FLAGS = 31;

    private final List<CqlType> types;
    private final Map<Integer, StoredColumn> keys = new LinkedHashMap<>();
    private final Map<Integer, StoredColumn> earlier = new LinkedHashMap<>();
    private final int ages;
    private final int agesAt;
    private int words = 1;
    private int references;
    private int flags;

    PartitionLayout(final FlowNode.Match match)
    {
        types = match.input().rows().types();
        addKeys(match.pattern().partitionBy());
        final List<Expression> read = Stream.concat(match.pattern().conditions().stream().filter(Objects::nonNull),
            match.pattern().measures().stream().map(Field::expression)).toList();
        final Map<Integer, Integer> depths = new LinkedHashMap<>();
        read.forEach(each -> depths(each, depths));
        depths.forEach(this::addEarlier);
        ages = read.stream().mapToInt(PartitionLayout::ages).max().orElse(0);
        agesAt = allocate(false, ages);
    }

    /** Adds the columns of the key, words before objects, as the table of partitions requires. */
    private void addKeys(final List<Integer> columns)
    {
        for (final boolean isReference : new boolean[]{false, true})
        {
            for (final int column : columns)
            {
                final CqlType type = types.get(column);
                if (StoredColumn.isObject(type) == isReference && !keys.containsKey(column))
                {
                    // Codes and objects represent null themselves.
                    final boolean isNullable = !isReference && type != CqlType.CHAR;
                    final boolean hasFlag = isNullable && flags < MAX_FLAGS;
                    keys.put(column, new StoredColumn(column, type, 0, allocate(isReference, 1),
                        hasFlag ? flags++ : -1, isNullable && !hasFlag ? allocate(false, 1) : -1));
                }
            }
        }
    }

    private static void depths(final Expression expression, final Map<Integer, Integer> depths)
    {
        if (expression instanceof PatternExpression.Navigation leaf && leaf.back() > 0)
        {
            depths.merge(leaf.column(), leaf.back(), Math::max);
        }
        ExpressionParts.of(expression).forEach(part -> depths(part, depths));
    }

    private void addEarlier(final int column, final int depth)
    {
        final CqlType type = types.get(column);
        final boolean hasFlags = flags + depth <= MAX_FLAGS;
        earlier.put(column, new StoredColumn(column, type, depth, allocate(Register.isReference(type), depth),
            hasFlags ? flags : -1, hasFlags ? -1 : allocate(false, depth)));
        flags += hasFlags ? depth : 0;
    }

    private static int ages(final Expression expression)
    {
        final int own =
            expression instanceof PatternExpression.Navigation leaf && leaf.maxAgeMs() >= 0 ? leaf.back() :
            expression instanceof PatternExpression.Classifier leaf && leaf.maxAgeMs() >= 0 ? leaf.back() : 0;
        return ExpressionParts.of(expression).stream().mapToInt(PartitionLayout::ages).reduce(own, Math::max);
    }

    private int allocate(final boolean areReferences, final int count)
    {
        if (areReferences)
        {
            references += count;
            return references - count;
        }
        words += count;
        return words - count;
    }

    /** Number of earlier rows whose times are stored per partition. */
    public int ages()
    {
        return ages;
    }

    /** Index of the first word of these times in a partition, that of the last row. */
    public int agesAt()
    {
        return agesAt;
    }

    /** The columns of the key, words before objects, in the order of their storage. */
    public List<StoredColumn> keys()
    {
        return List.copyOf(keys.values());
    }

    /** A column of the key; {@code null} for another column. */
    StoredColumn key(final int column)
    {
        return keys.get(column);
    }

    /** Longs of the key, including those for null flags. */
    public int keyWords()
    {
        return (int)keys.values().stream().filter(key -> !key.isReference())
            .mapToLong(key -> key.known() < 0 ? 1 : 2).sum();
    }

    /** Number of flags of the key, which are the first flags of a partition. */
    public int keyFlags()
    {
        return (int)keys.values().stream().filter(key -> key.flag() >= 0).count();
    }

    /** The columns of rows before the current one, with the number of rows stored of each. */
    public List<StoredColumn> earlier()
    {
        return List.copyOf(earlier.values());
    }

    /** A column of rows before the current one, an element of {@link #earlier}. */
    public StoredColumn earlier(final int column)
    {
        return earlier.get(column);
    }

    /** Words of a partition: flags, the key and earlier rows; at least 1. */
    public int words()
    {
        return words;
    }

    /** Objects of a partition: the key and earlier rows. */
    public int references()
    {
        return references;
    }
}
