package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Query.OrderBy;
import dev.millrace.cql.language.syntax.Query.OrderTerm;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.NumericLiteral;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * The SQL form for the first rows of each key: a sub-query with
 * {@code row_number() over (partition by k order by x) as rn} and an outer {@code where rn <= n}. It becomes
 * {@code order by x rows n partition by k} of the sub-query. Used for one statement, not thread-safe.
 */
final class RowNumbers
{
    private static final String FUNCTION = "row_number";
    private static final String BOUND = "add a condition such as where %1$s <= 3 to the outer query; the number " +
        "itself is not shown";

    /** Row numbers of select blocks that no condition bounds yet. */
    private final Map<Query.Select, Numbers> open = new IdentityHashMap<>();

    /** The numbering of the rows of a select block. */
    record Numbers(SqlIdentifier alias, List<OrderTerm> terms, List<SqlNode> partitionBy, SqlParserPos position)
    {
        boolean isMeant(final SqlNode value, final String source)
        {
            return value instanceof SqlIdentifier name && !name.isStar() &&
                name.names.get(name.names.size() - 1).equalsIgnoreCase(alias.getSimple()) &&
                (name.names.size() == 1 || name.names.size() == 2 && name.names.get(0).equalsIgnoreCase(source));
        }
    }

    /** Whether such an item of a select list is next. */
    static boolean isNext(final TokenStream tokens)
    {
        return tokens.at(FUNCTION, "(", ")", "over", "(");
    }

    /**
     * Parses the item, which is next.
     *
     * @param expressions parser of the key
     */
    static Numbers parse(
        final TokenStream tokens, final ExpressionParser expressions, final Supplier<OrderTerm> orderTerms)
    {
        final Token first = tokens.peek();
        for (int i = 0; i < 5; i++)
        {
            tokens.next();
        }
        final List<SqlNode> partitionBy = new ArrayList<>();
        if (tokens.take("partition"))
        {
            tokens.need("by");
            do
            {
                partitionBy.add(expressions.parse());
            }
            while (tokens.take(","));
        }
        tokens.need("order");
        tokens.need("by");
        final List<OrderTerm> terms = new ArrayList<>();
        do
        {
            terms.add(orderTerms.get());
        }
        while (tokens.take(","));
        tokens.need(")");
        tokens.need("as");
        final SqlIdentifier alias = tokens.name("a column name");
        return new Numbers(alias, terms, partitionBy, tokens.since(first));
    }

    /**
     * Records that the rows of a block are numbered.
     *
     * @param select  block without the number
     * @param numbers numbering of its rows
     */
    Query.Select numbered(final Query.Select select, final Numbers numbers)
    {
        if (select.items().isEmpty())
        {
            throw refused(numbers, "no other column", "select the columns that are shown as well");
        }
        if (select.distinct() || select.orderBy() != null)
        {
            throw refused(numbers, select.distinct() ? "DISTINCT" : "ORDER BY", "put it into the outer query");
        }
        for (final SqlNode key : keys(numbers))
        {
            if (key instanceof NumericLiteral)
            {
                throw new CqlRuleException(Message.NOT_AVAILABLE, key.getParserPosition(), "a position in OVER",
                    "name the column");
            }
            for (final Item item : select.items())
            {
                // SQL resolves names to columns first, ORDER BY of a select block to its aliases first.
                if (item.alias() != null && key instanceof SqlIdentifier name && name.isSimple() &&
                    name.getSimple().equalsIgnoreCase(item.alias().getSimple()) &&
                    !item.expression().toString().equalsIgnoreCase(name.toString()))
                {
                    throw new CqlRuleException(Message.NOT_AVAILABLE, key.getParserPosition(),
                        "an alias of the select list " +
                        "in OVER", "write the expression, or qualify the column with its source");
                }
            }
        }
        open.put(select, numbers);
        return select;
    }

    private static List<SqlNode> keys(final Numbers numbers)
    {
        final List<SqlNode> keys = new ArrayList<>(numbers.partitionBy);
        numbers.terms.forEach(term -> keys.add(term.value()));
        return keys;
    }

    private static CqlRuleException refused(final Numbers numbers, final String with, final String instead)
    {
        return new CqlRuleException(Message.NOT_AVAILABLE, numbers.position, "ROW_NUMBER() with " + with, instead);
    }

    /**
     * Limits sub-queries to their first rows if the outer block bounds the numbers.
     *
     * @param select block as written
     * @return the block without such conditions
     */
    Query.Select bounded(final Query.Select select)
    {
        Query.Select changed = select;
        for (int i = 0; i < select.from().size(); i++)
        {
            if (select.from().get(i) instanceof Source.SubQuery sub && sub.statement().query() instanceof
                Query.Select inner && sub.statement().toStream() == Statement.ToStream.NONE && open.containsKey(inner))
            {
                changed = bounded(changed, i, sub, inner);
            }
        }
        return changed;
    }

    private Query.Select bounded(
        final Query.Select select, final int index, final Source.SubQuery sub, final Query.Select inner)
    {
        final Numbers numbers = open.remove(inner);
        final String source = sub.alias().getSimple();
        final List<SqlNode> others = new ArrayList<>();
        long rows = Long.MAX_VALUE;
        for (final SqlNode condition : conjuncts(select.where()))
        {
            final Long bound = bound(condition, numbers, source);
            if (bound == null)
            {
                others.add(condition);
            }
            else
            {
                rows = Math.min(rows, bound);
            }
        }
        if (rows == Long.MAX_VALUE)
        {
            throw unbounded(numbers);
        }
        if (rows < 1)
        {
            throw new CqlRuleException(Message.NOT_POSITIVE, select.where().getParserPosition(),
                numbers.alias.getSimple(),
                Long.toString(rows));
        }
        final SqlNode where = others.isEmpty() ? null : others.size() == 1 ? others.get(0) :
            CqlOperator.AND.createCall(select.where().getParserPosition(), others);
        final List<Source> from = new ArrayList<>(select.from());
        final OrderBy order = new OrderBy(numbers.terms, rows, numbers.partitionBy, numbers.position);
        from.set(index, new Source.SubQuery(with(sub.statement(), new Query.Select(false, inner.items(), inner.from(),
            inner.where(), inner.groupBy(), inner.having(), order, inner.position())), sub.alias(), sub.position()));
        final Query.Select changed = new Query.Select(select.distinct(), select.items(), from, where,
            select.groupBy(), select.having(), select.orderBy(), select.position());
        checkUse(changed, numbers, source);
        return changed;
    }

    private static Statement with(final Statement statement, final Query query)
    {
        return new Statement(statement.toStream(), statement.toStreamPosition(), statement.differenceUsing(),
            statement.differencePosition(), query, statement.evaluateEvery(), statement.position());
    }

    private static List<SqlNode> conjuncts(final SqlNode where)
    {
        return where == null ? List.of() : where instanceof SqlCall call && call.getOperator() == CqlOperator.AND ?
            call.getOperandList() : List.of(where);
    }

    /** The number of rows that a condition allows; {@code null} for any other condition. */
    private static Long bound(final SqlNode condition, final Numbers numbers, final String source)
    {
        if (!(condition instanceof SqlCall call) || call.operandCount() != 2)
        {
            return null;
        }
        final boolean isLeft = numbers.isMeant(call.operand(0), source);
        final SqlNode limit = call.operand(isLeft ? 1 : 0);
        if (!(limit instanceof NumericLiteral number) || !isLeft && !numbers.isMeant(call.operand(1), source))
        {
            return null;
        }
        final BigDecimal last = number.number();
        if (call.getOperator() == (isLeft ? CqlOperator.LESS_OR_EQUAL : CqlOperator.GREATER_OR_EQUAL))
        {
            return rows(last.setScale(0, RoundingMode.FLOOR));
        }
        if (call.getOperator() == (isLeft ? CqlOperator.LESS : CqlOperator.GREATER))
        {
            return rows(last.setScale(0, RoundingMode.CEILING).subtract(BigDecimal.ONE));
        }
        return call.getOperator() == CqlOperator.EQUAL && last.compareTo(BigDecimal.ONE) == 0 ? 1L : null;
    }

    private static Long rows(final BigDecimal number)
    {
        return number.max(BigDecimal.valueOf(Integer.MIN_VALUE)).min(BigDecimal.valueOf(Integer.MAX_VALUE))
            .longValueExact();
    }

    /** Checks that the numbers are used only in the condition. */
    private static void checkUse(final Query.Select select, final Numbers numbers, final String source)
    {
        final SqlBasicVisitor<Void> check = new SqlBasicVisitor<>()
        {
            @Override
            public Void visit(final SqlIdentifier name)
            {
                if (numbers.isMeant(name, source) || name.isStar() && (name.names.size() == 1 ||
                    name.names.get(0).equalsIgnoreCase(source)))
                {
                    throw new CqlRuleException(Message.NOT_AVAILABLE, name.getParserPosition(), name.isStar() ?
                        "* of a query with ROW_NUMBER()" : "another use of ROW_NUMBER() than a condition on the " +
                        "first rows", "name the columns that are shown; rows have no numbers");
                }
                return null;
            }
        };
        final List<SqlNode> values = new ArrayList<>();
        select.items().forEach(item -> values.add(item.expression()));
        values.add(select.where());
        values.add(select.having());
        if (select.groupBy() != null)
        {
            values.addAll(select.groupBy());
        }
        if (select.orderBy() != null)
        {
            select.orderBy().terms().forEach(term -> values.add(term.value()));
            values.addAll(select.orderBy().partitionBy());
        }
        for (final SqlNode value : values)
        {
            if (value != null)
            {
                value.accept(check);
            }
        }
    }

    /** Refuses numbers that no condition bounds. */
    void check()
    {
        for (final Numbers numbers : open.values())
        {
            throw unbounded(numbers);
        }
    }

    private static CqlRuleException unbounded(final Numbers numbers)
    {
        return new CqlRuleException(Message.NOT_AVAILABLE, numbers.position, "ROW_NUMBER() without a condition on it",
            BOUND.formatted(numbers.alias.getSimple()));
    }
}
