package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.runtime.function.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Writes the statements of a method that compute expressions. Each step has a variable for its value and one for null.
 * AND, OR, CASE and functions compute only what they need, so that {@code x <> 0 and 1 / x > 2} never divides by zero.
 * Within a block, a leaf is read once.
 *
 * <p>Not thread-safe; used for one method.
 */
public final class ExpressionCode
{
    private static final String VALUES = "Values.";
    private static final int MOST_NESTED = 16;
    /** Maximum number of comparisons with ints; a set costs less than more. */
    private static final int MOST_COMPARED = 8;
    /** Terms of a longer chain are computed by separate methods: a method has at most 64 KiB of bytecode. */
    private static final int MOST_TERMS = 64;

    private final StringBuilder text = new StringBuilder();
    private final ConstantNames constants;
    private final LeafText leaves;
    private final TermMethods methods;
    private Map<Expression, Operand> known = new HashMap<>();
    private int depth = 2;
    private int variables;

    /**
     * Starts a method.
     *
     * @param constants of the class
     * @param leaves    reads leaves, from the parameters of the method alone
     * @param methods   receives the methods that compute parts of long chains
     */
    public ExpressionCode(final ConstantNames constants, final LeafText leaves, final TermMethods methods)
    {
        this.methods = methods;
        this.constants = constants;
        this.leaves = leaves;
    }

    /** The statements written so far. */
    public String text()
    {
        return text.toString();
    }

    /**
     * Writes a line.
     *
     * @param line without a line break
     */
    public void line(final String line)
    {
        text.append("    ".repeat(depth)).append(line).append('\n');
    }

    /** Opens a block. Results computed in it are not available after it: see {@link #scope}. */
    public void open(final String heading)
    {
        line(heading + " {");
        depth++;
    }

    /** Ends a block. */
    public void close()
    {
        depth--;
        line("}");
    }

    /**
     * A new unique name.
     *
     * @param prefix its first letters
     */
    public String name(final String prefix)
    {
        return prefix + variables++;
    }

    /** Source text of a constant object, cast to a class. */
    private String constant(final Object value, final String javaClass)
    {
        return constants.object(value, javaClass);
    }

    /**
     * Declares a variable with a value.
     *
     * @param value  Java expression
     * @param isNull whether it is null
     * @return the variable
     */
    public Operand declare(final String value, final String isNull, final CqlType type)
    {
        final String variable = name("v");
        if (isNull.equals("false"))
        {
            line("final " + LocalTypes.local(type) + ' ' + variable + " = " + value + ';');
            return Operand.notNull(variable, type);
        }
        final String flag = name("n");
        line("final boolean " + flag + " = " + isNull + ';');
        line("final " + LocalTypes.local(type) + ' ' + variable + " = " + flag + " ? " + LocalTypes.zero(type) + " : " +
            value + ';');
        return new Operand(variable, flag, type);
    }

    /**
     * Writes the statements of an expression.
     *
     * @return its value
     */
    public Operand write(final Expression expression)
    {
        final Operand already = known.get(expression);
        if (already != null)
        {
            return already;
        }
        final Operand remembered = remembered(expression);
        final Operand operand = remembered == null ? writeAnew(expression) : remembered;
        known.put(expression, operand);
        return operand;
    }

    /** The value of an expression of one string, cached per string; {@code null} for any other expression. */
    private Operand remembered(final Expression expression)
    {
        final Expression leaf = StringExpressions.text(expression);
        final Operand text = leaf == null ? null : write(leaf);
        return text == null || text.code() == null ? null : constants.remember(expression, leaf, text, this);
    }

    private Operand writeAnew(final Expression expression)
    {
        if (expression instanceof Expression.Literal literal)
        {
            return literal(literal);
        }
        if (expression instanceof Expression.Call call)
        {
            return call(call);
        }
        if (expression instanceof Expression.Case choice)
        {
            return choice(choice);
        }
        if (expression instanceof Expression.FunctionCall function)
        {
            return function(function);
        }
        return leaves.read(expression, this);
    }

    /**
     * Creates a leaf for a value that has been computed.
     *
     * @param value in a variable of the block, or an expression without cost
     * @return represents the value until the block ends
     */
    public Expression leaf(final Operand value)
    {
        final Expression leaf = new Expression.Column(-1 - variables++, value.type(), value.canBeNull());
        known.put(leaf, value);
        return leaf;
    }

    /**
     * Writes statements of a block; their results are not available after it.
     *
     * @param statements writes them
     * @return the result of {@code statements}
     */
    public <T> T scope(final Supplier<T> statements)
    {
        final Map<Expression, Operand> before = known;
        known = new HashMap<>(known);
        final T result = statements.get();
        known = before;
        return result;
    }

    /**
     * Source text of a condition: true only when it is TRUE.
     *
     * @param expression of type boolean
     * @return Java condition
     */
    public String condition(final Expression expression)
    {
        final Operand operand = write(expression);
        return operand.canBeNull() ? "(!" + operand.isNull() + " && " + operand.value() + ')' : operand.value();
    }

    private Operand literal(final Expression.Literal literal)
    {
        if (literal.value() == null)
        {
            return new Operand(LocalTypes.zero(literal.type()), "true", literal.type());
        }
        final String value = switch (literal.type())
        {
            case BOOLEAN -> literal.value().toString();
            case BIGDECIMAL, CHAR, BYTE, XMLTYPE, OBJECT ->
                constant(literal.value(), LocalTypes.local(literal.type()));
            default -> constants.number((Number)literal.value(), literal.type());
        };
        return new Operand(value, "false", literal.type(),
            literal.type() == CqlType.CHAR ? constants.code((String)literal.value()) : null, null);
    }

    private Operand call(final Expression.Call call)
    {
        final Operation operation = call.operation();
        if (call.arguments().size() > MOST_TERMS && operation != Operation.IN)
        {
            return chain(call);
        }
        return switch (operation)
        {
            case AND, OR -> shortCircuit(call, operation == Operation.OR);
            case IN -> membership(call);
            case CONCAT -> concat(call);
            case IS_NULL, IS_NOT_NULL ->
            {
                final Operand operand = write(call.arguments().get(0));
                yield Operand.notNull(operation == Operation.IS_NULL ? operand.isNull() : "!" + operand.isNull(),
                    CqlType.BOOLEAN);
            }
            default ->
            {
                final List<Operand> operands = operands(call.arguments());
                yield strict(operands, call.type(), values(call, operands));
            }
        };
    }

    /** A chain that is too long for one method: a method for each run of its terms. */
    private Operand chain(final Expression.Call call)
    {
        final List<List<Expression>> runs = TermMethods.runs(call.arguments(), MOST_TERMS);
        return switch (call.operation())
        {
            case AND, OR -> conditions(call, runs);
            case CONCAT ->
            {
                final List<String> parts = new ArrayList<>();
                runs.forEach(run -> parts.add(methods.add("String", "", anew(), code ->
                    code.line("return " + code.joined(run) + ';')) + ')'));
                yield text(String.join(" + ", parts));
            }
            default -> sum(call, runs);
        };
    }

    private ExpressionCode anew()
    {
        return new ExpressionCode(constants, leaves, methods);
    }

    /** Passes the intermediate value through a method for each run, when no term of any is null. */
    private Operand sum(final Expression.Call call, final List<List<Expression>> runs)
    {
        final String type = LocalTypes.local(call.type());
        final List<String> nulls = new ArrayList<>();
        String value = "";
        for (final List<Expression> run : runs)
        {
            if (run.stream().anyMatch(Expression::nullable))
            {
                nulls.add(methods.add("boolean", "", anew(), code ->
                    code.line("return " + anyNull(code.operands(run)) + ';')) + ')');
            }
            final boolean isFirst = run == runs.get(0);
            final String method = methods.add(type, isFirst ? "" : type, anew(), code ->
            {
                final List<Operand> operands = new ArrayList<>(code.operands(run));
                if (!isFirst)
                {
                    operands.add(0, Operand.notNull(TermMethods.SO_FAR, call.type()));
                }
                code.line("return " + code.values(call, operands) + ';');
            });
            value = isFirst ? method + ')' : method + ", " + value + ')';
        }
        return declare(value, nulls.isEmpty() ? "false" : String.join(" || ", nulls), call.type());
    }

    /** A method for each run of conditions: 1 when they decide, 2 when they are unknown, otherwise 0. */
    private Operand conditions(final Expression.Call call, final List<List<Expression>> runs)
    {
        final boolean isOr = call.operation() == Operation.OR;
        final String state = name("s");
        line("int " + state + " = 0;");
        for (final List<Expression> run : runs)
        {
            final String method = methods.add("int", "", anew(), code ->
            {
                final Operand all = code.write(new Expression.Call(call.operation(), run, call.type(),
                    run.stream().anyMatch(Expression::nullable)));
                code.line("return " + (all.canBeNull() ? all.isNull() + " ? 2 : " : "") + (isOr ? "" : "!") +
                    all.value() + " ? 1 : 0;");
            });
            open("if (" + state + " != 1)");
            line("final int run = " + method + ");");
            line(state + " = run == 1 ? 1 : " + state + " | run;");
            close();
        }
        final String value = name("v");
        line("final boolean " + value + " = " + state + (isOr ? " == 1;" : " == 0;"));
        final String isNull = name("n");
        line("final boolean " + isNull + " = " + state + " == 2;");
        return new Operand(value, isNull, CqlType.BOOLEAN);
    }

    private List<Operand> operands(final List<Expression> expressions)
    {
        final List<Operand> operands = new ArrayList<>();
        expressions.forEach(each -> operands.add(write(each)));
        return operands;
    }

    /** A value that is null when one of the operands is. */
    private Operand strict(final List<Operand> operands, final CqlType type, final String value)
    {
        return declare(value, anyNull(operands), type);
    }

    private static String anyNull(final List<Operand> operands)
    {
        final Set<String> flags = new LinkedHashSet<>();
        operands.stream().filter(Operand::canBeNull).forEach(each -> flags.add(each.isNull()));
        return flags.isEmpty() ? "false" : String.join(" || ", flags);
    }

    private String values(final Expression.Call call, final List<Operand> operands)
    {
        final Operand first = operands.get(0);
        final Operand second = operands.get(operands.size() - 1);
        return switch (call.operation())
        {
            case ADD -> arithmetic(call.type(), operands, "+", "add");
            case SUBTRACT -> arithmetic(call.type(), operands, "-", "subtract");
            case MULTIPLY -> arithmetic(call.type(), operands, "*", "multiply");
            case DIVIDE -> LocalTypes.isFloating(call.type()) ? first.value() + " / " + second.value() :
                VALUES + "divide(" + first.value() + ", " + second.value() + ')';
            case NEGATE -> call.type() == CqlType.BIGDECIMAL ? first.value() + ".negate()" : "-(" + first.value() + ')';
            case EQUAL -> comparison(first, second, "==");
            case NOT_EQUAL -> comparison(first, second, "!=");
            case LESS -> comparison(first, second, "<");
            case LESS_OR_EQUAL -> comparison(first, second, "<=");
            case GREATER -> comparison(first, second, ">");
            case GREATER_OR_EQUAL -> comparison(first, second, ">=");
            case XOR -> String.join(" ^ ", operands.stream().map(Operand::value).toList());
            case NOT -> '!' + first.value();
            case LIKE -> like(first, pattern(call.arguments().get(1)));
            case CONVERT -> conversion(first, call.type());
            default -> throw new IllegalStateException("operation without code, operation=" + call.operation());
        };
    }

    /** From left to right. */
    private static String arithmetic(
        final CqlType type, final List<Operand> operands, final String operator, final String method)
    {
        final StringBuilder value = new StringBuilder(operands.get(0).value());
        for (final Operand operand : operands.subList(1, operands.size()))
        {
            value.append(type == CqlType.BIGDECIMAL ? '.' + method + '(' + operand.value() + ')' :
                ' ' + operator + ' ' + operand.value());
        }
        return value.toString();
    }

    private static String comparison(final Operand left, final Operand right, final String operator)
    {
        if (left.code() != null && right.code() != null && operator.endsWith("=") && !operator.matches("[<>].*"))
        {
            return known(left, right) + ' ' + operator + ' ' + known(right, left);
        }
        return switch (left.type())
        {
            case INT, BIGINT, FLOAT, DOUBLE, TIMESTAMP, INTERVAL, BOOLEAN ->
                left.value() + ' ' + operator + ' ' + right.value();
            case CHAR -> operator.equals("==") ? left.value() + ".equals(" + right.value() + ')' :
                operator.equals("!=") ? '!' + left.value() + ".equals(" + right.value() + ')' :
                "Values.compareTexts(" + left.value() + ", " + right.value() + ") " + operator + " 0";
            case BIGDECIMAL -> left.value() + ".compareTo(" + right.value() + ") " + operator + " 0";
            case BYTE -> "java.util.Arrays.compare(" + left.value() + ", " + right.value() + ") " + operator + " 0";
            case XMLTYPE, OBJECT -> (operator.equals("==") ? "" : "!") + left.value() + ".equals(" + right.value() +
                ')';
        };
    }

    /** The code of a string to compare: a string from a batch need not be added to the table. */
    private static String known(final Operand text, final Operand other)
    {
        return text.column() == null || other.column() != null ? text.code() : text.known();
    }

    private String like(final Operand text, final Pattern pattern)
    {
        return VALUES + "like(" + text.value() + ", " + constant(pattern, "java.util.regex.Pattern") + ')';
    }

    private static Pattern pattern(final Expression expression)
    {
        if (expression instanceof Expression.Literal literal && literal.value() instanceof String regex)
        {
            return Pattern.compile(regex);
        }
        throw new IllegalStateException("LIKE without a constant pattern, expression=" + expression);
    }

    private static String conversion(final Operand from, final CqlType to)
    {
        if (from.type() == to)
        {
            return from.value();
        }
        if (to == CqlType.CHAR)
        {
            return from.type() == CqlType.INTERVAL ? VALUES + "intervalText(" + from.value() + ')' :
                from.type() == CqlType.TIMESTAMP ? VALUES + "timestampText(" + from.value() + ')' :
                VALUES + "text(" + from.value() + ')';
        }
        if (from.type() == CqlType.CHAR && (to == CqlType.TIMESTAMP || to == CqlType.INTERVAL))
        {
            return VALUES + (to == CqlType.TIMESTAMP ? "timestamp(" : "interval(") + from.value() + ')';
        }
        return switch (to)
        {
            case INT, BIGINT, FLOAT, DOUBLE -> from.type() == CqlType.BIGDECIMAL ?
                from.value() + '.' + LocalTypes.local(to) + "Value()" :
                '(' + LocalTypes.local(to) + ") (" + from.value() + ')';
            case BIGDECIMAL -> VALUES + "decimal(" + from.value() + ')';
            case TIMESTAMP, INTERVAL -> "(long) (" + from.value() + ')';
            case OBJECT -> VALUES + "boxed(" + from.value() + ')';
            default -> throw new IllegalStateException("conversion without code, from=" + from.type() + " to=" + to);
        };
    }

    /** AND and OR: later operands are computed only when the earlier ones do not decide. */
    private Operand shortCircuit(final Expression.Call call, final boolean isOr)
    {
        if (call.arguments().size() > MOST_NESTED)
        {
            return write(grouped(call));
        }
        final String value = name("v");
        final String isNull = name("n");
        line("boolean " + value + " = " + !isOr + ';');
        line("boolean " + isNull + " = false;");
        final Map<Expression, Operand> before = known;
        int blocks = 0;
        for (final Expression argument : call.arguments())
        {
            known = new HashMap<>(known);
            final Operand operand = write(argument);
            final String decides = (operand.canBeNull() ? '!' + operand.isNull() + " && " : "") +
                (isOr ? "" : "!") + operand.value();
            open("if (" + decides + ')');
            line(value + " = " + isOr + ';');
            line(isNull + " = false;");
            depth--;
            open("} else");
            if (operand.canBeNull())
            {
                line(isNull + " = " + isNull + " || " + operand.isNull() + ';');
            }
            blocks++;
        }
        for (int i = 0; i < blocks; i++)
        {
            close();
        }
        known = before;
        final String nullable = call.arguments().stream().anyMatch(Expression::nullable) ? isNull : "false";
        return new Operand(value, nullable, CqlType.BOOLEAN);
    }

    /** The same condition as a balanced tree, so that nesting does not grow with each term. */
    private static Expression.Call grouped(final Expression.Call call)
    {
        List<Expression> level = call.arguments();
        while (level.size() > MOST_NESTED)
        {
            final List<Expression> above = new ArrayList<>();
            for (int i = 0; i < level.size(); i += MOST_NESTED)
            {
                final List<Expression> part = level.subList(i, Math.min(level.size(), i + MOST_NESTED));
                above.add(part.size() == 1 ? part.get(0) : new Expression.Call(call.operation(), part, call.type(),
                    part.stream().anyMatch(Expression::nullable)));
            }
            level = above;
        }
        return new Expression.Call(call.operation(), level, call.type(), call.nullable());
    }

    private Operand membership(final Expression.Call call)
    {
        final ConstantSet set = ConstantSet.of(call.arguments());
        if (set != null)
        {
            final Operand one = write(call.arguments().get(0));
            final String amongCodes = amongCodes(one, call.arguments().subList(1, call.arguments().size()));
            return strict(List.of(one), CqlType.BOOLEAN, amongCodes != null ? amongCodes :
                set.test(constant(set.values(), set.javaClass()), one.value()));
        }
        final List<Operand> operands = operands(call.arguments());
        final Operand tested = operands.get(0);
        final List<String> equalities = new ArrayList<>();
        for (final Operand candidate : operands.subList(1, operands.size()))
        {
            final String equal = comparison(tested, candidate, "==");
            equalities.add(candidate.canBeNull() ? "(!" + candidate.isNull() + " && " + equal + ')' : equal);
        }
        final Operand found = declare(tested.canBeNull() ? '!' + tested.isNull() + " && (" +
            String.join(" || ", equalities) + ')' : String.join(" || ", equalities), "false", CqlType.BOOLEAN);
        final String anyNull = anyNull(operands);
        if (anyNull.equals("false"))
        {
            return found;
        }
        final String flag = name("n");
        line("final boolean " + flag + " = !" + found.value() + " && (" + anyNull + ");");
        return new Operand(found.value(), flag, CqlType.BOOLEAN);
    }

    /** Whether a string that has a code is one of a few constants. */
    private String amongCodes(final Operand text, final List<Expression> candidates)
    {
        if (text.code() == null || candidates.size() > MOST_COMPARED)
        {
            return null;
        }
        final List<String> equalities = new ArrayList<>();
        String code = null;
        for (final Expression candidate : candidates)
        {
            final Operand constant = write(candidate);
            if (constant.code() == null)
            {
                return null;
            }
            if (code == null)
            {
                code = name("c");
                line("final int " + code + " = " + known(text, constant) + ';');
            }
            equalities.add(code + " == " + constant.code());
        }
        return '(' + String.join(" || ", equalities) + ')';
    }

    /** Null counts as empty; an empty string is null. */
    private Operand concat(final Expression.Call call)
    {
        return text(joined(call.arguments()));
    }

    private String joined(final List<Expression> arguments)
    {
        final List<String> texts = new ArrayList<>();
        for (final Operand operand : operands(arguments))
        {
            texts.add(operand.canBeNull() ? '(' + operand.isNull() + " ? \"\" : " + operand.value() + ')' :
                operand.value());
        }
        return String.join(" + ", texts);
    }

    private Operand text(final String value)
    {
        final String variable = name("v");
        line("final String " + variable + " = " + value + ';');
        return declare(variable, variable + ".isEmpty()", CqlType.CHAR);
    }

    private Operand choice(final Expression.Case choice)
    {
        final CqlType type = choice.type();
        final boolean isOfCodes = isCoded(choice);
        final String value = name("v");
        final String other = name(isOfCodes ? "c" : "n");
        line(LocalTypes.local(type) + ' ' + value + " = " + LocalTypes.zero(type) + ';');
        line(isOfCodes ? "int " + other + " = 0;" : "boolean " + other + " = false;");
        final Map<Expression, Operand> before = known;
        for (int i = 0; i < choice.conditions().size(); i++)
        {
            known = new HashMap<>(known);
            final String condition = condition(choice.conditions().get(i));
            final Map<Expression, Operand> beforeValue = known;
            open("if (" + condition + ')');
            known = new HashMap<>(known);
            assign(value, other, choice.values().get(i), isOfCodes);
            known = beforeValue;
            depth--;
            open("} else");
        }
        assign(value, other, choice.otherwise(), isOfCodes);
        for (int i = 0; i < choice.conditions().size(); i++)
        {
            close();
        }
        known = before;
        return isOfCodes ? constants.either(other, value) : new Operand(value, other, type);
    }

    /** Whether a string has a code, regardless of its origin. */
    private boolean isCoded(final Expression expression)
    {
        if (expression.type() != CqlType.CHAR)
        {
            return false;
        }
        if (known.containsKey(expression))
        {
            return known.get(expression).code() != null;
        }
        if (expression instanceof Expression.Literal literal)
        {
            return literal.value() == null || constants.code((String)literal.value()) != null;
        }
        if (expression instanceof Expression.Case choice)
        {
            return isCoded(choice.otherwise()) && choice.values().stream().allMatch(this::isCoded);
        }
        final Expression leaf = StringExpressions.isLeaf(expression) ? expression : StringExpressions.text(expression);
        return leaf != null && write(leaf).code() != null;
    }

    /** Assigns a value, and its code or whether it is null. A string without a code remains a String. */
    private void assign(final String value, final String other, final Expression expression, final boolean isOfCodes)
    {
        final Operand operand = write(expression);
        if (!isOfCodes)
        {
            line(other + " = " + operand.isNull() + ';');
            line(value + " = " + operand.value() + ';');
            return;
        }
        final String[] either = operand.either() == null ? new String[0] : operand.either().split(", ");
        line(other + " = " + (operand.isNull().equals("true") ? "0" : either.length > 0 ? either[0] :
            constants.taken(operand)) + ';');
        if (either.length > 0)
        {
            line(value + " = " + either[1] + ';');
        }
    }

    private Operand function(final Expression.FunctionCall call)
    {
        final FunctionRef function = call.function();
        final List<Operand> operands = operands(call.arguments());
        final FunctionCallEmitter text = new FunctionCallEmitter(function, operands, call.type());
        final String guard = function.nullsReach() ? "false" : anyNull(operands);
        final String result = name("r");
        line(text.type() + ' ' + result + " = " + text.zero() + ';');
        final boolean isGuarded = !guard.equals("false");
        if (isGuarded)
        {
            open("if (!(" + guard + "))");
        }
        open("try");
        line(result + " = " + text.invocation(caller -> constant(caller, "FunctionCaller")) + ';');
        depth--;
        open("} catch (Throwable t)");
        line("throw " + VALUES + "failed(" + constant(function.name(), "String") + ", t);");
        close();
        if (isGuarded)
        {
            close();
        }
        if (text.isPrimitive())
        {
            return declare(text.primitive(result), guard, call.type());
        }
        final String typed = name("o");
        line("final Object " + typed + " = " + VALUES + "checked(" + result + ", " +
            constant(Values.boxedClass(call.type()), "Class") + ", " + constant(function.name(), "String") + ");");
        return declare(LocalTypes.unbox(call.type(), typed), typed + " == null", call.type());
    }

    /**
     * Writes a value to a row of a store that is all null.
     *
     * @param store  name of the store
     * @param row    name of the row
     * @param column index
     */
    public void store(final String store, final String row, final int column, final Operand operand)
    {
        final String assignment = store + '.' + LocalTypes.setter(operand.type()) + '(' + row + ", " + column + ", " +
            (operand.type() == CqlType.BOOLEAN ? operand.value() + " ? 1L : 0L" : operand.value()) + ");";
        if (operand.isNull().equals("true"))
        {
            return;
        }
        line(operand.canBeNull() ? "if (!" + operand.isNull() + ") " + assignment : assignment);
    }
}
