package dev.millrace.cql.language.syntax;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.functions.JsonPathCheck;
import dev.millrace.cql.language.functions.RegexpCheck;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlFunction;
import dev.millrace.cql.language.types.CqlMember;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.NumericLiteral;
import dev.millrace.cql.language.types.PatternFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses names, calls of functions and aggregates, and members of Java values. Used for one statement. */
final class CallParser
{
    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final XmlExpressionParser xml;
    private final ConversionParser conversions;

    CallParser(final TokenStream tokens, final ExpressionParser expressions)
    {
        this.tokens = tokens;
        this.expressions = expressions;
        xml = new XmlExpressionParser(tokens, expressions);
        conversions = new ConversionParser(tokens, expressions);
    }

    /** A column or a call, possibly with members. */
    SqlNode nameOrCall()
    {
        final Token first = tokens.peek();
        final List<String> names = new ArrayList<>();
        final List<SqlParserPos> positions = new ArrayList<>();
        do
        {
            final SqlIdentifier part = isMethod(names) ? TokenStream.identifier(tokens.next()) :
                tokens.name("a column name");
            names.add(part.getSimple());
            positions.add(part.getParserPosition());
            if (tokens.at(".") && tokens.peek(1).is("*"))
            {
                throw new CqlRuleException(Message.UNEXPECTED_TOKEN, tokens.peek(1).position(), "'*'", "a column name");
            }
        }
        while (tokens.take("."));
        String link = null;
        if (tokens.take("@"))
        {
            link = expressions.dottedName("a cartridge name").toString();
        }
        final SqlIdentifier name = new SqlIdentifier(names, null, tokens.since(first), positions);
        if (tokens.at("("))
        {
            final SqlNode call = call(first, name, link);
            if (tokens.at("over", "("))
            {
                throw tokens.unexpected("another operator, or FROM").withHint(ForeignForms.over(name.toString()));
            }
            return members(call);
        }
        if (link != null)
        {
            throw tokens.unexpected("'(' and the arguments");
        }
        return members(column(name));
    }

    /** Java methods are called by name even if the name is reserved in CQL: {@code matcher.end()}. */
    private boolean isMethod(final List<String> before)
    {
        return !before.isEmpty() && tokens.peek().kind() == Token.Kind.WORD && tokens.peek(1).is("(");
    }

    /** A column, or fields of a column when the name has more than two parts. */
    private SqlNode column(final SqlIdentifier name)
    {
        final int parts = Math.min(2, name.names.size());
        final SqlParserPos first = name.getComponentParserPosition(0);
        SqlNode value = parts == name.names.size() ? name : new SqlIdentifier(name.names.subList(0, parts), null,
            TokenStream.span(first, name.getComponentParserPosition(parts - 1)),
            List.of(first, name.getComponentParserPosition(parts - 1)));
        for (int i = parts; i < name.names.size(); i++)
        {
            value = expressions.callAt(new CqlMember(CqlMember.Access.FIELD, name.names.get(i)),
                TokenStream.span(first, name.getComponentParserPosition(i)), value);
        }
        return value;
    }

    /** Members after a value: {@code .field}, {@code .method(...)}, {@code [index]}. */
    SqlNode members(final SqlNode value)
    {
        SqlNode owner = value;
        while (tokens.at(".") || tokens.at("["))
        {
            final boolean element = tokens.next().is("[");
            final List<SqlNode> operands = new ArrayList<>();
            operands.add(owner);
            final CqlMember operator;
            if (element)
            {
                operands.add(expressions.parse());
                tokens.need("]");
                operator = new CqlMember(CqlMember.Access.ELEMENT, "");
            }
            else
            {
                final String name = isMethod(List.of(".")) ? tokens.next().text() :
                    tokens.name("the name of a member").getSimple();
                final boolean method = tokens.at("(");
                if (method)
                {
                    tokens.next();
                    operands.addAll(arguments());
                }
                operator = new CqlMember(method ? CqlMember.Access.METHOD : CqlMember.Access.FIELD, name);
            }
            owner = expressions.callAt(operator,
                TokenStream.span(value.getParserPosition(), tokens.previous().position()),
                operands.toArray(new SqlNode[0]));
        }
        return owner;
    }

    private List<SqlNode> arguments()
    {
        final List<SqlNode> arguments = new ArrayList<>();
        if (tokens.take(")"))
        {
            return arguments;
        }
        do
        {
            arguments.add(expressions.argument());
        }
        while (tokens.take(","));
        if (tokens.at("order", "by"))
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, tokens.peek().position(), "ORDER BY in an aggregate",
                "aggregates read rows in order of arrival");
        }
        tokens.need(")");
        return arguments;
    }

    private SqlNode call(final Token first, final SqlIdentifier name, final String link)
    {
        tokens.need("(");
        final String simple = name.isSimple() && link == null ? name.getSimple().toLowerCase(Locale.ROOT) : "";
        if (XmlExpressionParser.isName(simple))
        {
            return xml.parse(first, simple);
        }
        if (simple.equals("cast"))
        {
            return conversions.cast(first);
        }
        if (simple.equals("json_value"))
        {
            return conversions.jsonValue(first, name);
        }
        final CqlAggregate aggregate = CqlAggregate.byName(simple);
        final PatternFunction pattern = expressions.isInPattern() ? PatternFunction.byName(simple) : null;
        final boolean distinct = tokens.take("distinct");
        final Token start = tokens.previous();
        if (distinct && (tokens.at("*") || pattern != null || simple.equals("decode") || simple.equals("lk")))
        {
            final Token wrong = tokens.at("*") ? tokens.peek() : start;
            throw new CqlRuleException(Message.UNEXPECTED_TOKEN, wrong.position(), wrong.shown(),
                "an argument of " + simple);
        }
        final List<SqlNode> arguments = aggregate == null && pattern == null ? arguments() : rows(aggregate);
        if (pattern == null && tokens.at("filter", "("))
        {
            return filtered(aggregate, aggregate == null ? new CqlFunction(name, link) : aggregate, first, arguments,
                distinct ? start : null);
        }
        final SqlParserPos position = tokens.since(first);
        if (pattern != null)
        {
            return pattern(pattern, simple, position, arguments);
        }
        if (aggregate != null)
        {
            final SqlNode call = expressions.callAt(aggregate, position,
                argument(aggregate, position, arguments, distinct));
            return distinct ? distinct(call, start) : call;
        }
        if (simple.equals("decode"))
        {
            return expressions.decode(position, arguments);
        }
        RegexpCheck.check(simple, arguments);
        JsonPathCheck.check(simple, arguments);
        if (simple.equals("lk"))
        {
            return expressions.lk(position, arguments);
        }
        // With one argument, first and last are aggregates outside patterns.
        if (navigation(simple) != null && (simple.equals("prev") || arguments.size() != 1))
        {
            return pattern(null, simple, position, arguments);
        }
        final SqlNode call = expressions.callAt(new CqlFunction(name, link), position,
            arguments.toArray(new SqlNode[0]));
        return distinct ? distinct(call, start) : call;
    }

    private static SqlNode argument(final CqlAggregate aggregate, final SqlParserPos position,
        final List<SqlNode> arguments, final boolean distinct)
    {
        if (arguments.isEmpty() && aggregate == CqlAggregate.COUNT && !distinct)
        {
            return SqlIdentifier.star(position);
        }
        if (arguments.size() != 1)
        {
            throw new CqlRuleException(Message.ARGUMENT_COUNT, position, aggregate.getName().toLowerCase(Locale.ROOT),
                "one argument", arguments.size());
        }
        return arguments.get(0);
    }

    /**
     * {@code aggregate(x) FILTER (WHERE condition)}. Count, sum, avg, min and max ignore nulls: their argument becomes
     * null where the condition is not true. Other aggregates may count nulls, so they keep the condition.
     */
    private SqlNode filtered(final CqlAggregate aggregate, final SqlOperator operator, final Token first,
        final List<SqlNode> arguments, final Token distinct)
    {
        final SqlParserPos callPosition = tokens.since(first);
        final Token filter = tokens.next();
        tokens.next();
        tokens.need("where");
        final SqlNode condition = expressions.parse();
        tokens.need(")");
        final SqlParserPos position = tokens.since(first);
        if (aggregate == null)
        {
            if (expressions.isInPattern())
            {
                throw new CqlRuleException(Message.NOT_AVAILABLE, TokenStream.span(filter.position(), position),
                    "FILTER of another aggregate than count, sum, avg, min and max in a pattern",
                    "label the rows that count with a separate variable");
            }
            final SqlNode call = expressions.callAt(operator, callPosition, arguments.toArray(new SqlNode[0]));
            return expressions.callAt(SqlStdOperatorTable.FILTER, position,
                distinct == null ? call : distinct(call, distinct), condition);
        }
        final SqlNode argument = argument(aggregate, callPosition, arguments, distinct != null);
        final boolean isStar = argument instanceof SqlIdentifier name && name.isStar();
        if (isStar && ((SqlIdentifier) argument).names.size() > 1)
        {
            throw new CqlRuleException(Message.UNEXPECTED_TOKEN, filter.position(), filter.shown(), "')'")
                .withHint("write count(V.column) filter (where ...)");
        }
        final SqlNode counted = expressions.callAt(CqlOperator.CASE, position, condition,
            isStar ? new NumericLiteral(BigDecimal.ONE, CqlType.INT, callPosition) : argument,
            SqlLiteral.createNull(position));
        final SqlNode call = expressions.callAt(aggregate, position, counted);
        return distinct == null ? call : distinct(call, distinct);
    }

    private static SqlNode distinct(final SqlNode call, final Token word)
    {
        final SqlBasicCall plain = (SqlBasicCall) call;
        return new SqlBasicCall(plain.getOperator(), plain.getOperandList(), plain.getParserPosition(),
            SqlSelectKeyword.DISTINCT.symbol(word.position()));
    }

    private SqlNode pattern(
        final PatternFunction pattern, final String name, final SqlParserPos position, final List<SqlNode> arguments)
    {
        final boolean outside = pattern == null;
        if (outside ? arguments.isEmpty() || arguments.size() > 2 : !pattern.takes(arguments.size()))
        {
            throw new CqlRuleException(Message.ARGUMENT_COUNT, position, name,
                outside ? "one or two arguments" : pattern.argumentCount(), arguments.size());
        }
        return expressions.callAt(outside ? navigation(name) : pattern, position, arguments.toArray(new SqlNode[0]));
    }

    /** Functions of patterns where none are allowed: the analysis refuses them with their position. */
    private static SqlOperator navigation(final String name)
    {
        return switch (name)
        {
            case "prev" -> SqlStdOperatorTable.PREV;
            case "first" -> SqlStdOperatorTable.FIRST;
            case "last" -> SqlStdOperatorTable.LAST;
            default -> null;
        };
    }

    /** Arguments that may include {@code *} and {@code V.*}. */
    private List<SqlNode> rows(final CqlAggregate aggregate)
    {
        final List<SqlNode> arguments = new ArrayList<>();
        if (tokens.take(")"))
        {
            return arguments;
        }
        do
        {
            final Token token = tokens.peek();
            if (token.is("*") && aggregate == CqlAggregate.COUNT)
            {
                tokens.next();
                arguments.add(SqlIdentifier.star(token.position()));
            }
            else if (tokens.atName() && tokens.peek(1).is(".") && tokens.peek(2).is("*"))
            {
                arguments.add(rowsOf(tokens.next()));
            }
            else
            {
                arguments.add(expressions.argument());
            }
        }
        while (tokens.take(","));
        tokens.need(")");
        return arguments;
    }

    /** {@code V.*}: the rows of a variable. */
    private SqlNode rowsOf(final Token variable)
    {
        tokens.next();
        final Token star = tokens.next();
        final SqlParserPos position = tokens.since(variable);
        if (!expressions.isInPattern())
        {
            throw new CqlRuleException(Message.ONLY_IN_PATTERN, position, variable.text() + ".*");
        }
        return SqlIdentifier.star(List.of(variable.text(), ""), position,
            List.of(variable.position(), star.position()));
    }
}
