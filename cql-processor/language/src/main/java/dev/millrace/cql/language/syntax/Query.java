package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.syntax.Statement.Item;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A select block, a set operation, or a source name alone. Immutable. */
public sealed interface Query
{
    /** The span in the text. */
    SqlParserPos position();

    /**
     * The order of its rows.
     *
     * @return ORDER BY of a block or of a whole set operation; {@code null} without
     */
    OrderBy orderBy();

    /**
     * A select block.
     *
     * @param distinct whether equal rows count once
     * @param items    select list
     * @param from     FROM, at least one source
     * @param where    condition, or {@code null}
     * @param groupBy  terms; {@code null} without the clause
     * @param having   condition, or {@code null}
     * @param orderBy  order, or {@code null}; the order of the last block of a set operation applies to the operation
     * @param position span
     */
    record Select(
        boolean distinct,
        List<Item> items,
        List<Source> from,
        SqlNode where,
        List<SqlNode> groupBy,
        SqlNode having,
        OrderBy orderBy,
        SqlParserPos position) implements Query
    {
        /** Copies the lists. */
        public Select
        {
            items = List.copyOf(items);
            from = List.copyOf(from);
            groupBy = groupBy == null ? null : List.copyOf(groupBy);
        }

        Select withoutOrder()
        {
            return new Select(distinct, items, from, where, groupBy, having, null, position);
        }
    }

    /** Set operations. */
    enum SetKind
    {
        /** Set union. */
        UNION,
        /** Sum of bags. */
        UNION_ALL,
        /** Difference of bags. */
        EXCEPT,
        /** Difference of sets. */
        MINUS,
        /** Set intersection. */
        INTERSECT,
        /** Left rows that occur on the right. */
        IN,
        /** Left rows that do not occur on the right. */
        NOT_IN
    }

    /**
     * A set operation; chains of them are left-associative.
     *
     * @param left             left side, which determines the column names
     * @param right            right side
     * @param orderBy          order of the whole result, or {@code null}
     * @param operatorPosition position of the operator
     * @param position         span of the whole
     */
    record SetOperation(
        SetKind kind,
        Query left,
        Query right,
        OrderBy orderBy,
        SqlParserPos operatorPosition,
        SqlParserPos position) implements Query
    {
    }

    /**
     * A view or channel name alone: all its columns.
     *
     * @param name name of the source
     */
    record SourceRef(SqlIdentifier name) implements Query
    {
        @Override
        public SqlParserPos position()
        {
            return name.getParserPosition();
        }

        @Override
        public OrderBy orderBy()
        {
            return null;
        }
    }

    /**
     * ORDER BY with its limit.
     *
     * @param rows        ROWS n; 0 without
     * @param partitionBy PARTITION BY of ROWS; empty without
     * @param position    span
     */
    record OrderBy(List<OrderTerm> terms, long rows, List<SqlNode> partitionBy, SqlParserPos position)
    {
        /** Copies the lists. */
        public OrderBy
        {
            terms = List.copyOf(terms);
            partitionBy = List.copyOf(partitionBy);
        }
    }

    /**
     * A term of ORDER BY.
     *
     * @param value      a number is a position from 1, a simple name may be an alias, anything else is a value
     * @param descending direction
     * @param nullsFirst position of nulls; without NULLS, first when descending
     */
    record OrderTerm(SqlNode value, boolean descending, boolean nullsFirst)
    {
    }
}
