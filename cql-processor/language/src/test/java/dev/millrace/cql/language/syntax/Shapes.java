package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.types.NumericLiteral;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUtil;

/** Formats trees in a short form with all brackets, so that tests can compare them. */
final class Shapes
{
    private Shapes()
    {
    }

    static String of(final Statement statement)
    {
        final StringBuilder shape = new StringBuilder();
        final boolean wrapped = statement.toStream() != Statement.ToStream.NONE;
        shape.append(wrapped ? statement.toStream().name().toLowerCase(Locale.ROOT) + '(' : "");
        shape.append(of(statement.query())).append(wrapped ? ")" : "");
        if (statement.differencePosition() != null)
        {
            shape.append(" difference").append(list(statement.differenceUsing()));
        }
        if (statement.evaluateEvery() != null)
        {
            shape.append(" every ").append(statement.evaluateEvery().ns());
        }
        return shape.toString();
    }

    static String of(final Query query)
    {
        if (query instanceof Query.SourceRef alone)
        {
            return alone.name().toString();
        }
        if (query instanceof Query.SetOperation set)
        {
            return '(' + of(set.left()) + ' ' + set.kind() + ' ' + of(set.right()) + ')' + order(set.orderBy());
        }
        final Query.Select select = (Query.Select) query;
        final StringBuilder shape = new StringBuilder(select.distinct() ? "select distinct " : "select ");
        shape.append(select.items().stream().map(Shapes::item).collect(Collectors.joining(", ")));
        shape.append(" from ").append(select.from().stream().map(Shapes::of).collect(Collectors.joining(", ")));
        shape.append(select.where() == null ? "" : " where " + of(select.where()));
        shape.append(select.groupBy() == null ? "" : " group" + list(select.groupBy()));
        shape.append(select.having() == null ? "" : " having " + of(select.having()));
        return shape.append(order(select.orderBy())).toString();
    }

    private static String order(final Query.OrderBy order)
    {
        if (order == null)
        {
            return "";
        }
        return " order" + order.terms().stream().map(term -> of(term.value()) + (term.descending() ? " desc" : " asc") +
            (term.nullsFirst() ? " first" : " last")).collect(Collectors.joining(", ", "[", "]")) +
            (order.rows() == 0 ? "" : " rows " + order.rows()) +
            (order.partitionBy().isEmpty() ? "" : " by" + list(order.partitionBy()));
    }

    private static String item(final Item item)
    {
        return of(item.expression()) + as(item.alias());
    }

    private static String as(final SqlIdentifier alias)
    {
        return alias == null ? "" : " as " + alias;
    }

    private static String list(final List<SqlNode> nodes)
    {
        return nodes.stream().map(Shapes::of).collect(Collectors.joining(", ", "[", "]"));
    }

    static String of(final Source source)
    {
        if (source instanceof Source.NamedSource named)
        {
            return named.name() + of(named.window()) + as(named.alias());
        }
        if (source instanceof Source.MatchSource match)
        {
            return "match " + match.name() + as(match.alias());
        }
        if (source instanceof Source.SubQuery sub)
        {
            return '(' + of(sub.statement()) + ')' + as(sub.alias());
        }
        if (source instanceof Source.TableFunction table)
        {
            return "table(" + of(table.call()) + as(table.column()) +
                (table.type() == null ? "" : " of " + table.type()) + ')' + as(table.alias());
        }
        if (source instanceof Source.OuterJoin join)
        {
            return '(' + of(join.left()) + (join.keepsLeft() ? " left " : " right ") + of(join.right()) + " on " +
                of(join.on()) + ')';
        }
        final Source.XmlTable xml = (Source.XmlTable) source;
        return of(xml.input()) + " xmltable(" + xml.namespaces().stream().map(Shapes::item).toList() + ' ' +
            xml.query() + ' ' + xml.passing().stream().map(Shapes::item).toList() + ' ' + xml.columns().stream()
                .map(column -> column.name() + " " + column.type() + ' ' + column.path()).toList() + ')' +
            as(xml.alias());
    }

    private static String of(final Window window)
    {
        if (window instanceof Window.Now)
        {
            return "[now]";
        }
        if (window instanceof Window.Range range)
        {
            return "[range " + range.range().ns() + (range.slide() == null ? "" : " slide " + range.slide().ns()) + ']';
        }
        if (window instanceof Window.ValueRange range)
        {
            return "[range " + range.range().toPlainString() + (range.time() ? " ns" : "") + " on " + range.column() +
                ']';
        }
        if (window instanceof Window.Rows rows)
        {
            return "[rows " + rows.rows() + " slide " + rows.slide() + ']';
        }
        if (window instanceof Window.PartitionRows rows)
        {
            return "[by " + rows.columns() + " rows " + rows.rows() +
                (rows.range() == null ? "" : " range " + rows.range().ns()) +
                (rows.slide() == null ? "" : " slide " + rows.slide().ns()) + ']';
        }
        if (window instanceof Window.Until until)
        {
            return "[range until " + until.column() + ']';
        }
        if (window instanceof Window.Session session)
        {
            return "[session gap " + session.gap().ns() + " by " + session.columns() + ']';
        }
        return window instanceof Window.User user ? "[" + user.name() + list(user.arguments()) + ']' : "";
    }

    static String of(final SqlNode node)
    {
        if (node instanceof SqlIdentifier name)
        {
            return name.toString();
        }
        if (node instanceof NumericLiteral number)
        {
            return number.number().toPlainString() +
                (number.cqlType() == null ? ":decimal" : ":" + number.cqlType().cqlName());
        }
        if (node instanceof SqlLiteral literal)
        {
            return SqlUtil.isNullLiteral(literal, false) ? "null"
                : literal.getTypeName() == org.apache.calcite.sql.type.SqlTypeName.CHAR
                ? '\'' + literal.getValueAs(String.class) + '\'' : String.valueOf(literal.getValue());
        }
        final SqlCall call = (SqlCall) node;
        final boolean distinct = call instanceof SqlBasicCall && call.getFunctionQuantifier() != null;
        return call.getOperator().getName().toLowerCase(Locale.ROOT) + call.getOperandList().stream().map(Shapes::of)
            .collect(Collectors.joining(", ", distinct ? "(distinct " : "(", ")"));
    }
}
