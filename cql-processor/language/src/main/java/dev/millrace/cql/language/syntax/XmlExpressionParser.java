package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.functions.XQueryCheck;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.types.CqlFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses XML expressions, whose arguments have keywords: XMLELEMENT, XMLQUERY, ... Used for one statement. */
final class XmlExpressionParser
{
    private static final Set<String> XML = Set.of("xmlelement", "xmlforest", "xmlcolattval", "xmlattributes",
        "xmlparse", "xml_parse", "xmlquery", "xmlexists");

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    XmlExpressionParser(final TokenStream tokens, final ExpressionParser expressions)
    {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /** Whether a simple name, in lower case, names an XML expression. */
    static boolean isName(final String name)
    {
        return XML.contains(name);
    }

    /** Whether a value is a call of XMLQUERY, XMLELEMENT or a similar function. */
    static boolean isXml(final SqlNode value)
    {
        return value instanceof SqlBasicCall call && call.getOperator() instanceof CqlFunction function &&
            XML.contains(function.getName().toLowerCase(Locale.ROOT));
    }

    /**
     * Parses an expression after its opening bracket into a call: names of elements and attributes become string
     * arguments next to their values.
     *
     * @param first    the name of the expression in the text
     * @param function its name in lower case
     */
    SqlNode parse(final Token first, final String function)
    {
        final List<SqlNode> arguments = new ArrayList<>();
        String name = function;
        switch (function)
        {
            case "xmlelement" -> element(arguments);
            case "xmlquery", "xmlexists" -> query(arguments);
            case "xmlparse", "xml_parse" ->
            {
                name = "xmlparse";
                document(arguments);
            }
            default -> named(arguments);
        }
        tokens.need(")");
        final SqlParserPos position = tokens.since(first);
        return expressions.callAt(new CqlFunction(new SqlIdentifier(name, position), null), position,
            arguments.toArray(new SqlNode[0]));
    }

    /** {@code [NAME] name [, XMLATTRIBUTES(...)] [, value ...]}: name, attributes or null, values. */
    private void element(final List<SqlNode> arguments)
    {
        if (tokens.at("name") && !tokens.peek(1).is(",") && !tokens.peek(1).is(")"))
        {
            tokens.next();
        }
        final Token first = tokens.peek();
        if (tokens.take("evalname"))
        {
            arguments.add(expressions.parse());
        }
        else
        {
            arguments.add(text(expressions.nameOrString("the name of an element")));
        }
        SqlNode attributes = SqlLiteral.createNull(first.position());
        final List<SqlNode> values = new ArrayList<>();
        while (tokens.take(","))
        {
            if (tokens.at("xmlattributes", "(") && values.isEmpty())
            {
                attributes = expressions.parse();
            }
            else
            {
                values.add(value());
            }
        }
        arguments.add(attributes);
        arguments.addAll(values);
    }

    private SqlNode value()
    {
        final SqlNode value = expressions.parse();
        if (tokens.take("as"))
        {
            expressions.nameOrString("a name");
        }
        return value;
    }

    /** {@code value [AS name], ...}: each value with its name. */
    private void named(final List<SqlNode> arguments)
    {
        do
        {
            final SqlNode value = expressions.parse();
            arguments.add(value);
            if (tokens.take("as"))
            {
                arguments.add(text(expressions.nameOrString("a name")));
            }
            else if (value instanceof SqlIdentifier column)
            {
                arguments.add(SqlLiteral.createCharString(column.names.get(column.names.size() - 1), "UTF-8",
                    column.getParserPosition()));
            }
            else
            {
                throw tokens.unexpected("AS and a name", "as");
            }
        }
        while (tokens.take(","));
    }

    /** {@code "query" PASSING BY VALUE v AS "n", ... RETURNING CONTENT}: query, then each value with its name. */
    private void query(final List<SqlNode> arguments)
    {
        if (tokens.peek().kind() != Token.Kind.STRING)
        {
            throw tokens.unexpected("a string with the XQuery");
        }
        final Token query = tokens.next();
        arguments.add(ExpressionParser.string(query));
        final List<String> names = new ArrayList<>();
        if (tokens.take("passing"))
        {
            for (final Item passed : expressions.passing())
            {
                arguments.add(passed.expression());
                arguments.add(text(passed.alias()));
                names.add(passed.alias().getSimple());
            }
        }
        XQueryCheck.check(query.text(), List.of(), names, query.position());
        if (tokens.take("returning"))
        {
            tokens.need("content");
            if (tokens.take("null"))
            {
                tokens.need("on");
                tokens.need("empty");
            }
        }
    }

    /** {@code CONTENT|DOCUMENT value [WELLFORMED]}: kind, value, whether it is well-formed. */
    private void document(final List<SqlNode> arguments)
    {
        final Token kind = tokens.peek();
        if (!tokens.take("content") && !tokens.take("document"))
        {
            throw tokens.unexpected("CONTENT or DOCUMENT", "content", "document");
        }
        arguments.add(SqlLiteral.createCharString(kind.text().toLowerCase(Locale.ROOT), "UTF-8", kind.position()));
        arguments.add(expressions.parse());
        final Token word = tokens.peek();
        arguments.add(SqlLiteral.createBoolean(tokens.take("wellformed"), word.position()));
    }

    private static SqlNode text(final SqlIdentifier name)
    {
        return SqlLiteral.createCharString(name.toString(), "UTF-8", name.getParserPosition());
    }
}
