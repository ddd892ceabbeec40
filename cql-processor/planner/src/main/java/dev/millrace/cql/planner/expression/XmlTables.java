package dev.millrace.cql.planner.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.language.syntax.Source;
import dev.millrace.cql.language.syntax.Statement;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.rule.FlowRule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;

/**
 * Plans XMLTABLE: selects the passed values from its input, and for each such row looks up the items that the XQuery
 * finds. Over a stream it is a stream, otherwise a relation. Stateless.
 */
public final class XmlTables
{
    private static final FunctionRef NODE =
        new FunctionRef("xmltype", "dev.millrace.cql.functions.xml.XmlFunctions", "node", null, true, true);
    private static final String CONVERSIONS = "dev.millrace.cql.functions.ConversionFunctions";
    private static final FunctionRef TIME =
        new FunctionRef("to_char", CONVERSIONS, "timestampToChar", null, false, true);
    private static final FunctionRef LENGTH =
        new FunctionRef("to_char", CONVERSIONS, "intervalToChar", null, false, true);

    private XmlTables()
    {
    }

    /**
     * Converts a value for the parameters of XML functions that accept any type: XML is distinguished from strings,
     * times become strings.
     */
    static Expression value(final Expression value)
    {
        return switch (value.type())
        {
            case XMLTYPE -> new Expression.FunctionCall(NODE, List.of(value), CqlType.OBJECT);
            case TIMESTAMP -> new Expression.FunctionCall(TIME, List.of(value), CqlType.CHAR);
            case INTERVAL -> new Expression.FunctionCall(LENGTH, List.of(value), CqlType.CHAR);
            default -> value;
        };
    }

    /**
     * Plans it.
     *
     * @param table   XMLTABLE clause
     * @param queries plans a query
     * @return its columns
     */
    public static FlowRule plan(final Source.XmlTable table, final Function<Query, FlowRule> queries)
    {
        final List<Statement.Item> items = new ArrayList<>();
        for (int i = 0; i < table.passing().size(); i++)
        {
            items.add(new Statement.Item(table.passing().get(i).expression(),
                new SqlIdentifier("passed" + i, table.position())));
        }
        if (items.isEmpty())
        {
            items.add(new Statement.Item(SqlLiteral.createBoolean(true, table.position()),
                new SqlIdentifier("nothing", table.position())));
        }
        final FlowRule passed = queries.apply(new Query.Select(false, items, List.of(table.input()), null, null,
            null, null, table.position()));
        final List<String> names = new ArrayList<>();
        final List<CqlType> types = new ArrayList<>();
        for (final Source.XmlColumn column : table.columns())
        {
            names.add(column.name().getSimple());
            types.add(type(column.type()));
        }
        final RowType columns = new RowType(names, types);
        if (passed.isStream())
        {
            final FlowNode stream = rows(table, passed.stream(), columns);
            return new FlowRule(names, types, new FlowNode.Window(stream, new WindowSpec.Unbounded()), stream);
        }
        return new FlowRule(names, types, rows(table, passed.relation(), columns), null);
    }

    private static CqlType type(final SqlIdentifier name)
    {
        final CqlType type = CqlType.byName(name.toString());
        if (type == null || type == CqlType.OBJECT || type == CqlType.INTERVAL)
        {
            throw new CqlRuleException(Message.UNKNOWN_TYPE, name.getParserPosition(), name);
        }
        return type;
    }

    private static FlowNode rows(final Source.XmlTable table, final FlowNode input, final RowType columns)
    {
        final List<String> passedNames = table.passing().stream().map(item -> item.alias().getSimple()).toList();
        final List<Object> details = List.of(table.query(), table.namespaceTexts(), passedNames,
            table.columns().stream().map(Source.XmlColumn::path).toList(), columns.types());
        final List<Expression> keys = new ArrayList<>();
        for (int i = 0; i < passedNames.size(); i++)
        {
            keys.add(value(new Expression.Column(i, input.rows().types().get(i), true)));
        }
        final FlowNode found = new FlowNode.Pull(
            input, FlowNode.PullKind.XML, "xmltable" + details, columns, keys, List.of(), details);
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++)
        {
            fields.add(new Field(columns.names().get(i),
                new Expression.Column(input.rows().size() + i, columns.types().get(i), true)));
        }
        return new FlowNode.Calc(found, null, fields);
    }
}
