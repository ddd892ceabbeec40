package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.SimpleStatement;
import dev.millrace.cql.language.syntax.SimpleStatement.FlatSource;
import dev.millrace.cql.language.syntax.SimpleStatement.FlatWindow;
import dev.millrace.cql.language.syntax.Statement.ToStream;
import dev.millrace.cql.language.types.CqlOperator;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** Checks the rules of CQL for sources, windows, cache joins and relation-to-stream operators on one statement. */
final class StatementChecks
{
    private final SimpleStatement statement;
    private final List<SourceInfo> sources;

    StatementChecks(final SimpleStatement statement, final List<SourceInfo> sources)
    {
        this.statement = statement;
        this.sources = sources;
    }

    /** Checks sources and windows. */
    void checkSources()
    {
        for (int i = 0; i < sources.size(); i++)
        {
            final FlatSource source = statement.sources().get(i);
            final String name = sources.get(i).name();
            if (source.windowPosition() != null && sources.get(i).kind() == SourceInfo.Kind.CACHE)
            {
                throw new CqlRuleException(Message.WINDOW_ON_CACHE, source.windowPosition(), name);
            }
            if (source.windowPosition() != null && sources.get(i).kind() == SourceInfo.Kind.RELATION)
            {
                throw new CqlRuleException(Message.WINDOW_ON_RELATION, source.windowPosition(), name);
            }
        }
    }

    /** Checks how the sources are joined, and the limits of this version. */
    void checkShape(final SqlNode where, final boolean aggregates)
    {
        for (int i = 0; i < sources.size(); i++)
        {
            if (sources.get(i).kind() == SourceInfo.Kind.RELATION)
            {
                throw new CqlRuleException(Message.NOT_AVAILABLE, statement.sources().get(i).name().getParserPosition(),
                    "reading the relation " + sources.get(i).name(), "read a stream");
            }
        }
        final int cache = indexOf(SourceInfo.Kind.CACHE);
        final int stream = indexOf(SourceInfo.Kind.STREAM);
        if (stream < 0)
        {
            throw new CqlRuleException(Message.CACHE_ALONE, position(0), sources.get(0).name());
        }
        if (sources.size() > 2 || sources.size() == 2 && cache < 0)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, position(1),
                "a join other than of one stream [now] with one cache",
                "");
        }
        if (cache >= 0)
        {
            checkCacheJoin(stream, cache, where);
            if (statement.toStream() != ToStream.RSTREAM)
            {
                throw new CqlRuleException(Message.NOT_AVAILABLE, statement.position(),
                    "a join with a cache outside RStream",
                    "write RStream(select ... )");
            }
            if (aggregates)
            {
                throw new CqlRuleException(Message.NOT_AVAILABLE, statement.position(), "aggregation of a join",
                    "join in a view and aggregate the view");
            }
        }
        checkToStream(statement.sources().get(stream).window(), aggregates);
    }

    private void checkToStream(final FlatWindow window, final boolean aggregates)
    {
        final SqlParserPos position = statement.toStreamPosition();
        if (aggregates && window == FlatWindow.NOW)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, statement.sources().get(0).windowPosition(),
                "aggregation of [now]",
                "leave the window out to aggregate the whole stream");
        }
        switch (statement.toStream())
        {
            case DSTREAM -> throw new CqlRuleException(Message.NOT_AVAILABLE, position, "DStream", "");
            case ISTREAM ->
            {
                if (window == FlatWindow.NOW || aggregates)
                {
                    throw new CqlRuleException(Message.NOT_AVAILABLE, position,
                        window == FlatWindow.NOW ? "IStream over [now]" : "IStream of an aggregation",
                        window == FlatWindow.NOW ? "use RStream" : "");
                }
            }
            case RSTREAM ->
            {
                if (window != FlatWindow.NOW)
                {
                    throw new CqlRuleException(Message.NOT_AVAILABLE, position, "RStream over anything but [now]",
                        "add the window [now]");
                }
            }
            default ->
            {
                return;
            }
        }
    }

    private int indexOf(final SourceInfo.Kind kind)
    {
        for (int i = 0; i < sources.size(); i++)
        {
            if (sources.get(i).kind() == kind)
            {
                return i;
            }
        }
        return -1;
    }

    private SqlParserPos position(final int source)
    {
        return statement.sources().get(source).name().getParserPosition();
    }

    private void checkCacheJoin(final int stream, final int cache, final SqlNode where)
    {
        final String name = statement.sources().get(cache).alias() == null
            ? sources.get(cache).name() : statement.sources().get(cache).alias().getSimple();
        final List<String> keys = sources.get(cache).keyProperties();
        if (keys.size() != 1)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, position(cache), "a join with a cache of " +
                (keys.isEmpty() ? "no declared key" : "several key columns"), "");
        }
        if (statement.sources().get(stream).window() != FlatWindow.NOW)
        {
            throw new CqlRuleException(Message.CACHE_WITHOUT_NOW, position(stream), sources.get(stream).name());
        }
        final String key = keys.get(0);
        final String alias = Scope.internalAlias(cache);
        final List<SqlNode> conjuncts = new ArrayList<>();
        flatten(where, conjuncts);
        boolean joined = false;
        SqlNode early = null;
        for (final SqlNode conjunct : conjuncts)
        {
            refuseKeyArithmetic(conjunct, alias, key, name, false);
            if (!joined && mentions(conjunct, alias))
            {
                joined = isKeyEquality(conjunct, alias, key);
                early = joined || early != null ? early : conjunct;
            }
        }
        if (!joined)
        {
            throw new CqlRuleException(Message.CACHE_WITHOUT_KEY, early == null ? position(cache) :
                early.getParserPosition(),
                name, key);
        }
        if (early != null)
        {
            throw new CqlRuleException(Message.CACHE_KEY_FIRST, early.getParserPosition(), name, key);
        }
    }

    private static void flatten(final SqlNode node, final List<SqlNode> conjuncts)
    {
        if (node instanceof SqlCall call && call.getOperator() == CqlOperator.AND)
        {
            call.getOperandList().forEach(operand -> flatten(operand, conjuncts));
        }
        else if (node != null)
        {
            conjuncts.add(node);
        }
    }

    private static boolean isKeyEquality(final SqlNode node, final String alias, final String key)
    {
        if (!(node instanceof SqlCall call) || call.getOperator() != CqlOperator.EQUAL)
        {
            return false;
        }
        final boolean left = isColumn(call.operand(0), alias, key);
        final boolean right = isColumn(call.operand(1), alias, key);
        if (left == right)
        {
            return false;
        }
        final SqlNode other = call.operand(left ? 1 : 0);
        if (mentions(other, alias))
        {
            return false;
        }
        if (!mentions(other, null))
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, other.getParserPosition(),
                "a constant as the key of a cache",
                "compare the key with a column of the stream");
        }
        return true;
    }

    private static boolean isColumn(final SqlNode node, final String alias, final String column)
    {
        return node instanceof SqlIdentifier name && name.names.get(0).equals(alias) &&
            name.names.get(1).equalsIgnoreCase(column);
    }

    private static void refuseKeyArithmetic(
        final SqlNode node, final String alias, final String key, final String name, final boolean inArithmetic)
    {
        if (inArithmetic && isColumn(node, alias, key))
        {
            throw new CqlRuleException(Message.CACHE_KEY_ARITHMETIC, node.getParserPosition(), name, key);
        }
        if (node instanceof SqlCall call)
        {
            final boolean arithmetic = call.getOperator() instanceof CqlOperator operator && !operator.isCondition();
            call.getOperandList().forEach(
                operand -> refuseKeyArithmetic(operand, alias, key, name, inArithmetic || arithmetic));
        }
    }

    /** Whether a tree contains a column of a source, or of any source. */
    private static boolean mentions(final SqlNode node, final String alias)
    {
        final boolean[] found = new boolean[1];
        node.accept(new SqlBasicVisitor<Void>()
        {
            @Override
            public Void visit(final SqlIdentifier name)
            {
                found[0] |= alias == null || name.names.get(0).equals(alias);
                return null;
            }
        });
        return found[0];
    }
}
