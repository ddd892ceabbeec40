package dev.millrace.cql.language.syntax;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import dev.millrace.cql.language.Suggestions;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.types.CqlAggregate;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.NumericLiteral;
import dev.millrace.cql.language.types.PatternOperator;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Parses conditions and values. Precedence, loosest first: OR, XOR, AND, NOT, comparison, {@code + - ||}, {@code * /},
 * sign.
 */
final class ExpressionParser
{
    private static final Map<String, CqlOperator> COMPARISONS = Map.of("=", CqlOperator.EQUAL, "<>",
        CqlOperator.NOT_EQUAL, "!=", CqlOperator.NOT_EQUAL, "<", CqlOperator.LESS, "<=", CqlOperator.LESS_OR_EQUAL,
        ">", CqlOperator.GREATER, ">=", CqlOperator.GREATER_OR_EQUAL);

    /** Functions of the language that this version does not have yet. */
    private static final Set<String> LATER = Set.of("concat", "length", "systimestamp", "to_bigint", "to_boolean",
        "to_char", "to_double", "to_float", "to_timestamp", "xmlcomment", "xmlconcat", "xmlexists", "xmlquery",
        "xmlelement", "xmlforest", "xmlattributes", "xmlcolattval", "xmlagg", "xml_parse", "hextoraw", "rawtohex",
        "nvl", "decode", "lk", "lower", "upper", "substr", "replace", "trim", "ltrim", "rtrim", "coalesce", "nullif",
        "listagg", "abs", "abs1", "abs2", "abs3", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "cosh", "sinh",
        "tanh", "log", "log1", "log2", "log10", "log101", "log1p", "exp", "expm1", "cbrt", "sqrt", "hypot", "signum",
        "signum1", "ulp", "ulp1", "ceil", "ceil1", "floor", "floor1", "ieeeremainder", "pow", "rint", "round", "round1",
        "todegrees", "toradians", "median", "variance", "next", "classifier", "match_number", "permute", "running",
        "final", "mean", "standarddeviation", "beta", "gamma", "factorial", "binomial", "hash", "normal", "quantile");

    private final TokenStream tokens;
    private final Map<SqlNode, Integer> depths = new IdentityHashMap<>();
    private boolean inPattern;

    ExpressionParser(final TokenStream tokens)
    {
        this.tokens = tokens;
    }

    /** Whether functions of patterns and {@code V.*} are known. */
    void inPattern(final boolean inside)
    {
        inPattern = inside;
    }

    SqlNode parse()
    {
        tokens.enter();
        final SqlNode node = or();
        tokens.leave();
        return node;
    }

    static SqlNode string(final Token token)
    {
        return SqlLiteral.createCharString(token.text(), "UTF-8", token.place());
    }

    /** A name of one or more parts. */
    SqlIdentifier dottedName(final String what)
    {
        final Token first = tokens.peek();
        final List<String> names = new ArrayList<>();
        final List<SqlParserPos> places = new ArrayList<>();
        do
        {
            final SqlIdentifier part = tokens.isValueOfPlaceholder(tokens.peek()) ? nameOrString(what)
                : tokens.name(what);
            names.add(part.getSimple());
            places.add(part.getParserPosition());
        }
        while (tokens.take("."));
        return new SqlIdentifier(names, null, tokens.since(first), places);
    }

    /** A name that may stand in quotes. */
    SqlIdentifier nameOrString(final String what)
    {
        if (tokens.peek().kind() == Token.Kind.STRING)
        {
            final Token token = tokens.next();
            return new SqlIdentifier(List.of(token.text()), null, token.place(), List.of(token.place()));
        }
        return tokens.name(what);
    }

    /** The values after PASSING: {@code BY VALUE v AS "n", ...}. */
    List<Item> passing()
    {
        if (tokens.take("by"))
        {
            tokens.need("value");
        }
        final List<Item> values = new ArrayList<>();
        do
        {
            final SqlNode value = parse();
            tokens.need("as");
            values.add(new Item(value, nameOrString("the name of an XQuery variable")));
        }
        while (tokens.take(","));
        return values;
    }

    private SqlNode or()
    {
        return chain(CqlOperator.OR, "or", this::xor);
    }

    private SqlNode xor()
    {
        SqlNode left = and();
        while (tokens.take("xor"))
        {
            left = call(CqlOperator.XOR, left, and());
        }
        return left;
    }

    private SqlNode and()
    {
        return chain(CqlOperator.AND, "and", this::not);
    }

    private SqlNode chain(final CqlOperator operator, final String word, final Supplier<SqlNode> part)
    {
        final List<SqlNode> operands = new ArrayList<>();
        operands.add(part.get());
        while (tokens.take(word))
        {
            operands.add(part.get());
        }
        return operands.size() == 1 ? operands.get(0) : call(operator, operands.toArray(new SqlNode[0]));
    }

    private SqlNode not()
    {
        if (!tokens.at("not"))
        {
            return predicate();
        }
        final Token first = tokens.next();
        tokens.enter();
        final SqlNode operand = not();
        tokens.leave();
        return callAt(CqlOperator.NOT, tokens.since(first), operand);
    }

    private SqlNode predicate()
    {
        final Token first = tokens.peek();
        final SqlNode left = additive();
        final CqlOperator comparison = tokens.peek().kind() == Token.Kind.SIGN
            ? COMPARISONS.get(tokens.peek().text()) : null;
        if (comparison != null)
        {
            tokens.next();
            return call(comparison, left, additive());
        }
        if (tokens.take("is"))
        {
            final boolean negated = tokens.take("not");
            tokens.need("null");
            return callAt(negated ? CqlOperator.IS_NOT_NULL : CqlOperator.IS_NULL, tokens.since(first), left);
        }
        final boolean negated = tokens.at("not") &&
            (tokens.peek(1).is("between") || tokens.peek(1).is("in") || tokens.peek(1).is("like"));
        if (negated)
        {
            tokens.next();
        }
        SqlNode result = left;
        if (tokens.take("between"))
        {
            final SqlNode low = additive();
            tokens.need("and");
            final SqlNode high = additive();
            result = callAt(CqlOperator.BETWEEN, tokens.since(first), left, low, high);
        }
        else if (tokens.at("in"))
        {
            result = inList(first, left);
        }
        else if (tokens.at("like"))
        {
            final Token like = tokens.next();
            if (tokens.peek().kind() != Token.Kind.STRING)
            {
                throw tokens.unexpected("a string: the pattern of LIKE is a constant regular expression");
            }
            tokens.next();
            tokens.unavailable(tokens.since(like), "LIKE", "");
            result = callAt(CqlOperator.IS_NOT_NULL, tokens.since(first), left);
        }
        return negated ? callAt(CqlOperator.NOT, tokens.since(first), result) : result;
    }

    private SqlNode inList(final Token first, final SqlNode left)
    {
        final Token in = tokens.next();
        tokens.need("(");
        final List<SqlNode> operands = new ArrayList<>();
        operands.add(left);
        if (tokens.at("select"))
        {
            throw new Refusal(Message.NOT_AVAILABLE, tokens.since(in), "a sub-query in IN", "use a view");
        }
        do
        {
            operands.add(additive());
        }
        while (tokens.take(","));
        tokens.need(")");
        return callAt(CqlOperator.IN_LIST, tokens.since(first), operands.toArray(new SqlNode[0]));
    }

    private SqlNode additive()
    {
        final Token first = tokens.peek();
        SqlNode left = multiplicative();
        while (true)
        {
            if (tokens.take("+"))
            {
                left = call(CqlOperator.PLUS, left, multiplicative());
            }
            else if (tokens.take("-"))
            {
                left = call(CqlOperator.MINUS, left, multiplicative());
            }
            else if (tokens.take("||"))
            {
                multiplicative();
                tokens.unavailable(tokens.since(first), "concatenation with ||", "");
            }
            else
            {
                return left;
            }
        }
    }

    private SqlNode multiplicative()
    {
        SqlNode left = sign();
        while (true)
        {
            if (tokens.take("*"))
            {
                left = call(CqlOperator.TIMES, left, sign());
            }
            else if (tokens.take("/"))
            {
                left = call(CqlOperator.DIVIDE, left, sign());
            }
            else
            {
                return left;
            }
        }
    }

    private SqlNode sign()
    {
        if (!tokens.at("-") && !tokens.at("+"))
        {
            return primary();
        }
        final Token first = tokens.next();
        final boolean minus = first.is("-");
        if (tokens.peek().kind() == Token.Kind.NUMBER)
        {
            return number(tokens.next(), minus, first.place());
        }
        tokens.enter();
        final SqlNode operand = sign();
        tokens.leave();
        // A plus sign still demands a number: twice negated has the type check and keeps every value.
        return minus ? callAt(CqlOperator.NEGATE, tokens.since(first), operand) : plus(first, operand);
    }

    private SqlNode plus(final Token first, final SqlNode operand)
    {
        return callAt(CqlOperator.NEGATE, tokens.since(first),
            callAt(CqlOperator.NEGATE, tokens.since(first), operand));
    }

    private SqlNode primary()
    {
        final Token token = tokens.peek();
        switch (token.kind())
        {
            case NUMBER:
                return number(tokens.next(), false, token.place());
            case STRING:
                tokens.next();
                return token.text().isEmpty()
                    ? SqlLiteral.createNull(token.place())
                    : SqlLiteral.createCharString(token.text(), "UTF-8", token.place());
            case QUOTED:
                return nameOrCall();
            case SIGN:
                return bracketed(token);
            case WORD:
                return word(token);
            default:
                throw tokens.unexpected("a value");
        }
    }

    private SqlNode bracketed(final Token token)
    {
        if (tokens.take("("))
        {
            if (tokens.at("select"))
            {
                throw new Refusal(Message.NOT_AVAILABLE, token.place(), "a sub-query as a value", "use a view");
            }
            final SqlNode inner = parse();
            tokens.need(")");
            return inner;
        }
        if (token.is(":"))
        {
            tokens.next();
            if (tokens.peek().kind() == Token.Kind.NUMBER)
            {
                tokens.next();
                throw new Refusal(Message.NOT_AVAILABLE, tokens.since(token), "a placeholder", "");
            }
        }
        throw tokens.unexpected("a value");
    }

    private SqlNode word(final Token token)
    {
        if (tokens.at("null"))
        {
            tokens.next();
            return SqlLiteral.createNull(token.place());
        }
        if (tokens.at("case"))
        {
            return caseExpression();
        }
        final boolean bare = !tokens.peek(1).is("(") && !tokens.peek(1).is(".");
        if (bare && (tokens.at("true") || tokens.at("false")))
        {
            tokens.next();
            return SqlLiteral.createBoolean(token.is("true"), token.place());
        }
        if (tokens.at("interval") && tokens.peek(1).kind() == Token.Kind.STRING)
        {
            return interval();
        }
        if (!tokens.atName())
        {
            throw tokens.unexpected("a value");
        }
        if (inPattern && (tokens.at("running") || tokens.at("final")) && tokens.peek(1).kind() == Token.Kind.WORD &&
            tokens.peek(2).is("("))
        {
            tokens.next();
            final SqlNode seen = nameOrCall();
            return callAt(token.is("final") ? PatternOperator.FINAL : PatternOperator.RUNNING, tokens.since(token),
                seen);
        }
        return nameOrCall();
    }

    private SqlNode interval()
    {
        final Token first = tokens.next();
        tokens.next();
        if (tokens.atName())
        {
            tokens.next();
            if (tokens.take("to"))
            {
                tokens.name("a time unit");
            }
        }
        tokens.unavailable(tokens.since(first), "an interval literal", "");
        return SqlLiteral.createNull(tokens.since(first));
    }

    private SqlNode caseExpression()
    {
        final Token first = tokens.next();
        if (!tokens.at("when"))
        {
            parse();
        }
        do
        {
            tokens.need("when");
            parse();
            tokens.need("then");
            parse();
        }
        while (tokens.at("when"));
        if (tokens.take("else"))
        {
            parse();
        }
        tokens.need("end");
        tokens.unavailable(tokens.since(first), "CASE", "");
        return SqlLiteral.createNull(tokens.since(first));
    }

    private SqlNode nameOrCall()
    {
        final Token first = tokens.peek();
        final List<String> names = new ArrayList<>();
        final List<SqlParserPos> places = new ArrayList<>();
        do
        {
            final SqlIdentifier part = tokens.name("a column name");
            names.add(part.getSimple());
            places.add(part.getParserPosition());
            if (tokens.at(".") && tokens.peek(1).is("*"))
            {
                throw new Refusal(Message.UNEXPECTED_TOKEN, tokens.peek(1).place(), "'*'", "a column name");
            }
        }
        while (tokens.take("."));
        if (tokens.at("@"))
        {
            tokens.next();
            tokens.name("a cartridge name");
            final SqlParserPos place = tokens.since(first);
            throw new Refusal(Message.NOT_AVAILABLE, place, "a cartridge call", "");
        }
        if (tokens.at("["))
        {
            throw new Refusal(Message.NOT_AVAILABLE, tokens.peek().place(), "an array element", "");
        }
        if (tokens.at("("))
        {
            return function(first, names);
        }
        if (names.size() > 2)
        {
            throw new Refusal(Message.TOO_MANY_PARTS, tokens.since(first), String.join(".", names));
        }
        return new SqlIdentifier(names, null, tokens.since(first), places);
    }

    private SqlNode function(final Token first, final List<String> names)
    {
        tokens.need("(");
        final String name = names.get(0);
        if (names.size() > 1)
        {
            throw new Refusal(Message.NOT_AVAILABLE, tokens.since(first), "a Java call", "");
        }
        final List<SqlNode> arguments = arguments(name);
        final SqlParserPos place = tokens.since(first);
        final PatternOperator pattern = inPattern ? PatternOperator.byName(name) : null;
        if (pattern != null)
        {
            if (!pattern.takes(arguments.size()))
            {
                throw new Refusal(Message.ARGUMENT_COUNT, place, name, pattern.argumentCount(), arguments.size());
            }
            return callAt(pattern, place, arguments.toArray(new SqlNode[0]));
        }
        final CqlAggregate aggregate = CqlAggregate.byName(name);
        if (aggregate != null)
        {
            if (arguments.size() != 1)
            {
                throw new Refusal(Message.ARGUMENT_COUNT, place, name, "one argument", arguments.size());
            }
            return callAt(aggregate, place, arguments.get(0));
        }
        final SqlOperator navigation = navigation(name);
        if (navigation != null)
        {
            if (arguments.size() == 3 && name.equalsIgnoreCase("prev"))
            {
                throw new Refusal(Message.NOT_AVAILABLE, place, "prev with a time", "");
            }
            if (arguments.isEmpty() || arguments.size() > 2)
            {
                throw new Refusal(Message.ARGUMENT_COUNT, place, name, "one or two arguments", arguments.size());
            }
            return callAt(navigation, place, arguments.toArray(new SqlNode[0]));
        }
        if (LATER.contains(name.toLowerCase(Locale.ROOT)))
        {
            throw new Refusal(Message.NOT_AVAILABLE, first.place(), "function " + name.toLowerCase(Locale.ROOT), "");
        }
        throw new Refusal(Message.UNKNOWN_FUNCTION, first.place(), name).withHint(Suggestions.didYouMean(name,
            List.of("sum", "count", "avg", "min", "max", "prev", "first", "last")));
    }

    private static SqlOperator navigation(final String name)
    {
        return switch (name.toLowerCase(Locale.ROOT))
        {
            case "prev" -> SqlStdOperatorTable.PREV;
            case "first" -> SqlStdOperatorTable.FIRST;
            case "last" -> SqlStdOperatorTable.LAST;
            default -> null;
        };
    }

    private List<SqlNode> arguments(final String function)
    {
        final List<SqlNode> arguments = new ArrayList<>();
        if (tokens.take(")"))
        {
            return arguments;
        }
        if (tokens.at("distinct"))
        {
            tokens.unavailable(tokens.next().place(), "DISTINCT in an aggregate", "");
        }
        do
        {
            final Token token = tokens.peek();
            if (token.is("*") && CqlAggregate.byName(function) == CqlAggregate.COUNT)
            {
                tokens.next();
                arguments.add(SqlIdentifier.star(token.place()));
            }
            else if (tokens.atName() && tokens.peek(1).is(".") && tokens.peek(2).is("*"))
            {
                arguments.add(rowsOf(tokens.next()));
            }
            else
            {
                arguments.add(parse());
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
        final SqlParserPos place = tokens.since(variable);
        if (!inPattern)
        {
            throw new Refusal(Message.ONLY_IN_PATTERN, place, variable.text() + ".*");
        }
        return SqlIdentifier.star(List.of(variable.text(), ""), place, List.of(variable.place(), star.place()));
    }

    private static SqlNode number(final Token token, final boolean minus, final SqlParserPos signPlace)
    {
        final SqlParserPos place = TokenStream.span(signPlace, token.place());
        final char last = Character.toLowerCase(token.text().charAt(token.text().length() - 1));
        final boolean suffixed = Character.isLetter(last);
        final String digits = suffixed ? token.text().substring(0, token.text().length() - 1) : token.text();
        final int exponent = digits.toLowerCase(Locale.ROOT).indexOf('e');
        if (exponent >= 0 && digits.length() - exponent > 6)
        {
            throw new Refusal(Message.NUMBER_OUT_OF_RANGE, place, token.text(), "double");
        }
        final BigDecimal magnitude = new BigDecimal(digits.endsWith(".") ? digits + "0" : digits);
        final BigDecimal value = minus ? magnitude.negate() : magnitude;
        final boolean whole = digits.indexOf('.') < 0 && exponent < 0;
        final CqlType type = typeOf(suffixed ? last : ' ', whole, value, place, token.text());
        if (minus && value.signum() == 0 && type != CqlType.INT && type != CqlType.BIGINT)
        {
            // A decimal has no negative zero; the sign is kept as an operation.
            return CqlOperator.NEGATE.createCall(place, new NumericLiteral(magnitude, type, place));
        }
        return new NumericLiteral(value, type, place);
    }

    private static CqlType typeOf(
        final char suffix, final boolean whole, final BigDecimal value, final SqlParserPos place, final String text)
    {
        if (suffix == 'f')
        {
            return inRange(Float.isFinite(value.floatValue()), CqlType.FLOAT, place, text);
        }
        if (suffix == 'd' || !whole && suffix == ' ')
        {
            inRange(Double.isFinite(value.doubleValue()), CqlType.DOUBLE, place, text);
            return suffix == 'd' ? CqlType.DOUBLE : null;
        }
        if (!whole)
        {
            throw new Refusal(Message.BAD_NUMBER, place, text);
        }
        inRange(value.toBigInteger().bitLength() <= 63, CqlType.BIGINT, place, text);
        return suffix == 'l' || value.toBigInteger().bitLength() > 31 ? CqlType.BIGINT : CqlType.INT;
    }

    private static CqlType inRange(
        final boolean fits, final CqlType type, final SqlParserPos place, final String text)
    {
        if (!fits)
        {
            throw new Refusal(Message.NUMBER_OUT_OF_RANGE, place, text, type.cqlName());
        }
        return type;
    }

    private SqlNode call(final SqlOperator operator, final SqlNode... operands)
    {
        return callAt(operator, TokenStream.span(operands[0].getParserPosition(),
            operands[operands.length - 1].getParserPosition()), operands);
    }

    private SqlNode callAt(final SqlOperator operator, final SqlParserPos place, final SqlNode... operands)
    {
        int depth = 0;
        for (final SqlNode operand : operands)
        {
            depth = Math.max(depth, depths.getOrDefault(operand, 0));
        }
        if (depth >= Message.MAX_NESTING)
        {
            throw new Refusal(Message.TOO_DEEP, place, Message.MAX_NESTING);
        }
        final SqlCall call = operator.createCall(place, operands);
        depths.put(call, depth + 1);
        return call;
    }
}
