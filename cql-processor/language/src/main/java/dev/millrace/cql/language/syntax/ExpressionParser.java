package dev.millrace.cql.language.syntax;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.functions.RegexpCheck;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.types.CqlFunction;
import dev.millrace.cql.language.types.CqlOperator;
import dev.millrace.cql.language.types.NumericLiteral;
import dev.millrace.cql.language.types.PatternFunction;
import dev.millrace.cql.language.types.TimestampParser;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUtil;
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

    /** Infix operators that accept any number of operands without parentheses. */
    private static final Set<SqlOperator> CHAINS = Set.of(CqlOperator.PLUS, CqlOperator.MINUS, CqlOperator.TIMES,
        CqlOperator.DIVIDE, CqlOperator.CONCAT, CqlOperator.XOR);
    /** Operators that accept any number of operands, left to right. */
    private static final Set<SqlOperator> FLAT = Set.of(CqlOperator.PLUS, CqlOperator.MINUS, CqlOperator.TIMES,
        CqlOperator.CONCAT, CqlOperator.XOR);
    /**
     * Number of terms from which a chain of one operator becomes one call: its tree would be as deep as the chain is
     * long.
     */
    private static final int FLAT_TERMS = 65;

    private static final Map<String, CqlOperator> SIGNS = Map.of("+", CqlOperator.PLUS, "-", CqlOperator.MINUS, "||",
        CqlOperator.CONCAT, "*", CqlOperator.TIMES, "/", CqlOperator.DIVIDE, "xor", CqlOperator.XOR);

    private static final Extent LEAF = new Extent(0, 1, 1);

    /**
     * The depth of a tree, its number of nodes, and the number of nodes that are computed in one piece: a flat call is
     * computed in several pieces. A node that occurs twice counts twice.
     */
    private record Extent(int depth, long size, long piece)
    {
    }

    private final TokenStream tokens;
    private final CallParser calls;
    private final Map<SqlNode, Extent> extents = new IdentityHashMap<>();
    private boolean inPattern;

    ExpressionParser(final TokenStream tokens)
    {
        this.tokens = tokens;
        calls = new CallParser(tokens, this);
    }

    boolean isInPattern()
    {
        return inPattern;
    }

    /** Whether functions of patterns and {@code V.*} are recognized. */
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
        return SqlLiteral.createCharString(token.text(), "UTF-8", token.position());
    }

    /** An argument of a function. */
    SqlNode argument()
    {
        if (tokens.at("*"))
        {
            throw new CqlRuleException(Message.UNEXPECTED_TOKEN, tokens.peek().position(), "'*'", "a value")
                .withHint("count(*) counts rows, no other function takes *");
        }
        return parse();
    }

    /** A name of one or more parts. */
    SqlIdentifier dottedName(final String what)
    {
        final Token first = tokens.peek();
        final List<String> names = new ArrayList<>();
        final List<SqlParserPos> positions = new ArrayList<>();
        do
        {
            final SqlIdentifier part = tokens.isValueOfPlaceholder(tokens.peek()) ? nameOrString(what)
                : tokens.name(what);
            names.add(part.getSimple());
            positions.add(part.getParserPosition());
        }
        while (tokens.take("."));
        return new SqlIdentifier(names, null, tokens.since(first), positions);
    }

    /** A name that may be in quotes. */
    SqlIdentifier nameOrString(final String what)
    {
        if (tokens.peek().kind() == Token.Kind.STRING)
        {
            final Token token = tokens.next();
            return new SqlIdentifier(List.of(token.text()), null, token.position(), List.of(token.position()));
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
        return leftToRight(this::and, "xor");
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
            add(operands, part.get());
        }
        return operands.size() == 1 ? operands.get(0) : call(operator, operands.toArray(new SqlNode[0]));
    }

    private static void add(final List<SqlNode> chain, final SqlNode term)
    {
        chain.add(term);
        if (chain.size() > Message.MAX_TERMS)
        {
            throw new CqlRuleException(Message.TOO_MANY_TERMS, term.getParserPosition(), Message.MAX_TERMS);
        }
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
            tokens.next();
            final SqlNode pattern = pattern();
            result = callAt(CqlOperator.LIKE, tokens.since(first), left, pattern);
        }
        return negated ? callAt(CqlOperator.NOT, tokens.since(first), result) : result;
    }

    /** The regular expression of LIKE. */
    private SqlNode pattern()
    {
        final Token token = tokens.peek();
        if (token.kind() != Token.Kind.STRING)
        {
            final SqlNode value = additive();
            throw new CqlRuleException(Message.LIKE_NOT_CONSTANT, value.getParserPosition());
        }
        tokens.next();
        if (tokens.at("||") || tokens.at("+"))
        {
            throw new CqlRuleException(Message.LIKE_NOT_CONSTANT,
                TokenStream.span(token.position(), tokens.peek().position()));
        }
        checkPattern(token.text(), token.position());
        warnOfSql(token.text(), token.position());
        return string(token);
    }

    private SqlNode inList(final Token first, final SqlNode left)
    {
        final Token in = tokens.next();
        tokens.need("(");
        final List<SqlNode> operands = new ArrayList<>();
        operands.add(left);
        if (tokens.at("select"))
        {
            throw new CqlRuleException(Message.SUB_QUERY, tokens.since(in), "in a condition");
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
        return leftToRight(this::multiplicative, "+", "-", "||");
    }

    private SqlNode multiplicative()
    {
        return leftToRight(this::sign, "*", "/");
    }

    /**
     * Terms between operators of one precedence: calls with two operands, or one call for a long chain of the same
     * operator.
     */
    private SqlNode leftToRight(final Supplier<SqlNode> term, final String... signs)
    {
        SqlNode left = term.get();
        String sign = taken(signs);
        while (sign != null)
        {
            final List<SqlNode> run = new ArrayList<>(List.of(left));
            do
            {
                add(run, term.get());
            }
            while (tokens.take(sign));
            left = run(SIGNS.get(sign), run);
            sign = taken(signs);
        }
        return left;
    }

    /** Consumes one of the signs; {@code null} if another token follows. */
    private String taken(final String... signs)
    {
        for (final String sign : signs)
        {
            if (tokens.take(sign))
            {
                return sign;
            }
        }
        return null;
    }

    private SqlNode run(final CqlOperator operator, final List<SqlNode> terms)
    {
        if (terms.size() >= FLAT_TERMS && FLAT.contains(operator))
        {
            return call(operator, terms.toArray(new SqlNode[0]));
        }
        SqlNode left = terms.get(0);
        for (int i = 1; i < terms.size(); i++)
        {
            left = call(operator, left, terms.get(i));
        }
        return left;
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
            return NumericLiteralParser.number(tokens.next(), minus, first.position());
        }
        tokens.enter();
        final SqlNode operand = sign();
        tokens.leave();
        // A plus sign still requires a number: a double negation has the type check and keeps every value.
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
                return NumericLiteralParser.number(tokens.next(), false, token.position());
            case STRING:
                tokens.next();
                return token.text().isEmpty()
                    ? SqlLiteral.createNull(token.position())
                    : SqlLiteral.createCharString(token.text(), "UTF-8", token.position());
            case QUOTED:
                return calls.nameOrCall();
            case SIGN:
                return calls.members(bracketed(token));
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
                throw new CqlRuleException(Message.SUB_QUERY, token.position(), "as a value");
            }
            final SqlNode inner = parse();
            tokens.need(")");
            return inner;
        }
        throw tokens.unexpected("a value");
    }

    private SqlNode word(final Token token)
    {
        if (tokens.at("null"))
        {
            tokens.next();
            return SqlLiteral.createNull(token.position());
        }
        if (tokens.at("case"))
        {
            return caseExpression();
        }
        final boolean bare = !tokens.peek(1).is("(") && !tokens.peek(1).is(".");
        if (bare && (tokens.at("true") || tokens.at("false")))
        {
            tokens.next();
            return SqlLiteral.createBoolean(token.is("true"), token.position());
        }
        final boolean adjacent = tokens.peek(1).start() == token.end();
        if (tokens.peek(1).kind() == Token.Kind.STRING && (tokens.at("interval") || tokens.at("timestamp") ||
            tokens.at("x") && adjacent))
        {
            return time(token);
        }
        if (!tokens.atName())
        {
            throw tokens.unexpected("a value");
        }
        if (inPattern && (tokens.at("running") || tokens.at("final")) && tokens.peek(1).kind() == Token.Kind.WORD &&
            tokens.peek(2).is("("))
        {
            tokens.next();
            final SqlNode seen = calls.nameOrCall();
            return callAt(token.is("final") ? PatternFunction.FINAL : PatternFunction.RUNNING, tokens.since(token),
                seen);
        }
        return calls.nameOrCall();
    }

    private SqlNode time(final Token first)
    {
        if (tokens.at("interval"))
        {
            final long ns = WindowSizeParser.interval(tokens);
            return new NumericLiteral(BigDecimal.valueOf(ns), CqlType.INTERVAL, tokens.since(first));
        }
        tokens.next();
        final Token text = tokens.next();
        if (first.text().equalsIgnoreCase("x"))
        {
            if (text.text().length() % 2 != 0 || !text.text().matches("[0-9a-fA-F]*"))
            {
                throw new CqlRuleException(Message.BAD_HEX, tokens.since(first), text.text());
            }
            return CqlFunction.call("hextoraw", tokens.since(first), string(text));
        }
        final Long ns = TimestampParser.timestamp(text.text());
        if (ns == null)
        {
            throw new CqlRuleException(Message.BAD_TIMESTAMP, text.position(), text.text());
        }
        return new NumericLiteral(BigDecimal.valueOf(ns), CqlType.TIMESTAMP, tokens.since(first));
    }

    /** CASE in both forms: {@code case x when v} means {@code x = v}. */
    private SqlNode caseExpression()
    {
        final Token first = tokens.next();
        final SqlNode asked = tokens.at("when") ? null : parse();
        final List<SqlNode> operands = new ArrayList<>();
        do
        {
            tokens.need("when");
            final SqlNode when = parse();
            operands.add(asked == null ? when
                : callAt(CqlOperator.EQUAL, when.getParserPosition(), asked, when));
            tokens.need("then");
            operands.add(parse());
        }
        while (tokens.at("when"));
        operands.add(tokens.take("else") ? parse() : SqlLiteral.createNull(tokens.peek().position()));
        tokens.need("end");
        return callAt(CqlOperator.CASE, tokens.since(first), operands.toArray(new SqlNode[0]));
    }

    /** {@code lk(x, "regular expression")}: LIKE in patterns. */
    SqlNode lk(final SqlParserPos position, final List<SqlNode> arguments)
    {
        if (arguments.size() != 2)
        {
            throw new CqlRuleException(Message.ARGUMENT_COUNT, position, "lk", "2 arguments", arguments.size());
        }
        if (!(arguments.get(1) instanceof SqlCharStringLiteral pattern))
        {
            throw new CqlRuleException(Message.LIKE_NOT_CONSTANT, arguments.get(1).getParserPosition());
        }
        checkPattern(pattern.getValueAs(String.class), pattern.getParserPosition());
        warnOfSql(pattern.getValueAs(String.class), pattern.getParserPosition());
        return callAt(CqlOperator.LIKE, position, arguments.get(0), pattern);
    }

    private void warnOfSql(final String text, final SqlParserPos position)
    {
        final String expression = ForeignForms.likeOfSql(text);
        if (expression != null)
        {
            tokens.warn(new CqlRuleException(Message.LIKE_OF_SQL, position, '"' + text + '"', '"' + expression + '"'));
        }
    }

    private static void checkPattern(final String text, final SqlParserPos position)
    {
        final String problem = RegexpCheck.problem(text);
        if (problem != null)
        {
            throw new CqlRuleException(Message.BAD_PATTERN, position, problem);
        }
    }

    /** {@code decode(x, s1, r1, s2, r2, ..., otherwise)}: CASE in which nulls are equal. */
    SqlNode decode(final SqlParserPos position, final List<SqlNode> arguments)
    {
        if (arguments.size() < 3)
        {
            throw new CqlRuleException(Message.ARGUMENT_COUNT, position, "decode", "at least 3 arguments",
                arguments.size());
        }
        final SqlNode asked = arguments.get(0);
        final List<SqlNode> operands = new ArrayList<>();
        for (int i = 1; i + 1 < arguments.size(); i += 2)
        {
            operands.add(same(asked, arguments.get(i)));
            operands.add(arguments.get(i + 1));
        }
        operands.add(arguments.size() % 2 == 0 ? arguments.get(arguments.size() - 1) : SqlLiteral.createNull(position));
        return callAt(CqlOperator.CASE, position, operands.toArray(new SqlNode[0]));
    }

    private SqlNode same(final SqlNode asked, final SqlNode value)
    {
        final SqlParserPos position = value.getParserPosition();
        if (SqlUtil.isNullLiteral(value, false))
        {
            return callAt(CqlOperator.IS_NULL, position, asked);
        }
        final SqlNode equal = callAt(CqlOperator.EQUAL, position, asked, value);
        return value instanceof SqlLiteral ? equal : callAt(CqlOperator.OR, position, equal,
            callAt(CqlOperator.AND, position,
            callAt(CqlOperator.IS_NULL, position, asked), callAt(CqlOperator.IS_NULL, position, value)));
    }

    private SqlNode call(final SqlOperator operator, final SqlNode... operands)
    {
        return callAt(operator, TokenStream.span(operands[0].getParserPosition(),
            operands[operands.length - 1].getParserPosition()), operands);
    }

    SqlNode callAt(final SqlOperator operator, final SqlParserPos position, final SqlNode... operands)
    {
        int depth = 0;
        long size = 1;
        long piece = 1;
        for (final SqlNode operand : operands)
        {
            final Extent extent = extents.getOrDefault(operand, LEAF);
            depth = Math.max(depth, extent.depth());
            if (operator != CqlOperator.IN_LIST || !(operand instanceof SqlLiteral))
            {
                size += extent.size();
                piece = isFlat(operator, operands) ? Math.max(piece, extent.piece()) : piece + extent.piece();
            }
        }
        if (depth >= Message.MAX_NESTING)
        {
            // The left operand of a + b - c + ... is as deep as the chain is long, although the text has no nesting.
            final boolean chain = CHAINS.contains(operator) && operands[0] instanceof SqlCall left &&
                CHAINS.contains(left.getOperator()) && extents.get(left).depth() == depth;
            throw new CqlRuleException(chain ? Message.MIXED_CHAIN : Message.TOO_DEEP, position, Message.MAX_NESTING);
        }
        if (piece > Message.MAX_EXPRESSION || size > Message.MAX_STATEMENT)
        {
            throw new CqlRuleException(Message.TOO_LARGE, position,
                piece > Message.MAX_EXPRESSION ? Message.MAX_EXPRESSION : Message.MAX_STATEMENT);
        }
        final SqlCall call = operator.createCall(position, operands);
        extents.put(call, new Extent(depth + 1, size, piece + operands.length / FLAT_TERMS));
        return call;
    }

    private static boolean isFlat(final SqlOperator operator, final SqlNode... operands)
    {
        return operands.length >= FLAT_TERMS &&
            (FLAT.contains(operator) || operator == CqlOperator.AND || operator == CqlOperator.OR);
    }
}
