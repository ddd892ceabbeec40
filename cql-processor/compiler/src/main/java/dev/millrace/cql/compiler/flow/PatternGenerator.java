package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.GeneratedName;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.expression.StaticConstants;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.pattern.PatternAnalysis;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Field;
import dev.millrace.cql.plan.PatternExpression;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.pattern.PatternKernel;
import java.lang.reflect.InvocationTargetException;

/**
 * Writes the conditions and measures of a pattern as one class of Java text and compiles it: a method for each.
 *
 * <p>Used by one thread, for one pattern. Failure: {@link IllegalStateException} when the text does not compile, which
 * is a bug of the generator.
 */
final class PatternGenerator
{
    private static final String PACKAGE = "dev.millrace.cql.generated";
    /** Stands for the name of a class until its text is complete. */
    private static final String ANY_NAME = "GeneratedPattern";
    /** Far more than any aggregate takes. */
    private static final int MAX_ARGUMENTS = 100;
    private static final String PARAMETERS = "(final MatchView match, final RowStore in)";

    private final PatternAnalysis analysis;
    private final RowType input;
    private final StaticConstants constants = new StaticConstants();
    private final StringBuilder methods = new StringBuilder();
    private final TermMethods terms =
        new TermMethods("terms", "private static", "final MatchView match, final RowStore in", "match, in");
    private final TermMethods argumentTerms =
        new TermMethods("argumentTerms", "private static",
            "final MatchView match, final RowStore in, final int row", "match, in, row");

    PatternGenerator(final PatternSpec spec, final PatternAnalysis analysis, final RowType input)
    {
        this.analysis = analysis;
        this.input = input;
        final StringBuilder tests = new StringBuilder();
        for (int i = 0; i < spec.conditions().size(); i++)
        {
            final Expression condition = spec.conditions().get(i);
            if (condition != null)
            {
                final ExpressionCode code = code(true);
                code.line("return " + code.condition(condition) + ';');
                method("private boolean test" + i + PARAMETERS, code.text());
                tests.append("      case ").append(i).append(": return test").append(i).append("(match, in);\n");
            }
        }
        method("public boolean test(final int variable, final MatchView match, final RowStore in)",
            "    switch (variable) {\n" + tests + "      default: return true;\n    }\n");
        final StringBuilder calls = new StringBuilder();
        for (int i = 0; i < spec.measures().size(); i++)
        {
            final Field measure = spec.measures().get(i);
            final ExpressionCode code = code(false);
            code.store("out", "outRow", i, code.write(measure.expression()));
            method("private void measure" + i +
                "(final MatchView match, final RowStore in, final RowStore out, final int outRow)", code.text());
            calls.append("    measure").append(i).append("(match, in, out, outRow);\n");
        }
        method("public void measures(final MatchView match, final RowStore in, final RowStore out, final int outRow)",
            calls.toString());
        final StringBuilder ofRow = new StringBuilder();
        for (int i = 0; i < spec.measures().size(); i++)
        {
            if (spec.measures().get(i).expression() instanceof PatternExpression.RowColumn)
            {
                ofRow.append("    measure").append(i).append("(match, in, out, outRow);\n");
            }
        }
        method("public void unmatched(final MatchView match, final RowStore in, final RowStore out, final int outRow)",
            ofRow.toString());
        arguments();
    }

    /** Arguments of aggregates that read the match. */
    private void arguments()
    {
        final StringBuilder cases = new StringBuilder();
        analysis.argumentsOfMatch().forEach((aggregate, arguments) ->
        {
            for (int i = 0; i < arguments.size(); i++)
            {
                final ExpressionCode code = new ExpressionCode(constants, this::readArgument, argumentTerms);
                final Operand value = code.write(arguments.get(i));
                code.line("return " + (value.canBeNull() ? value.isNull() + " ? null : " : "") +
                    "(Object) (" + value.value() + ");");
                final String name = "argument" + aggregate + '_' + i;
                method("private Object " + name + "(final MatchView match, final RowStore in, final int row)",
                    code.text());
                cases.append("      case ").append(aggregate * MAX_ARGUMENTS + i).append(": return ").append(name)
                    .append("(match, in, row);\n");
            }
        });
        method("public Object argument(final int aggregate, final int index, final MatchView match, " +
            "final RowStore in, final int row)", "    switch (aggregate * " + MAX_ARGUMENTS + " + index) {\n" + cases +
            "      default: throw new IllegalStateException();\n    }\n");
    }

    private Operand readArgument(final Expression leaf, final ExpressionCode code)
    {
        if (leaf instanceof Expression.Column column)
        {
            final CqlType type = input.types().get(column.column());
            return code.declare('(' + LocalTypes.load(type, "in", "row", column.column()) + ')',
                "in.isNull(row, " + column.column() + ')', type);
        }
        if (leaf instanceof PatternExpression.Classifier)
        {
            return code.declare("match.label()", "false", CqlType.CHAR);
        }
        return read(leaf, code, false);
    }

    private void method(final String heading, final String body)
    {
        methods.append("  ").append(heading).append(" {\n").append(body).append("  }\n");
    }

    private ExpressionCode code(final boolean inCondition)
    {
        return new ExpressionCode(constants, (leaf, code) -> read(leaf, code, inCondition), terms);
    }

    private Operand read(final Expression leaf, final ExpressionCode code, final boolean inCondition)
    {
        if (leaf instanceof PatternExpression.Navigation navigation)
        {
            final String row = code.name("r");
            code.line("final int " + row + " = match.row(" + analysis.number(navigation, inCondition) + ");");
            final int column = navigation.column();
            final String isNull = row + " < 0 || in.isNull(" + row + ", " + column + ')';
            return code.declare('(' + LocalTypes.load(input.types().get(column), "in", row, column) + ')', isNull,
                input.types().get(column));
        }
        if (leaf instanceof PatternExpression.RowColumn own)
        {
            final CqlType type = input.types().get(own.column());
            return code.declare('(' + LocalTypes.load(type, "in", "match.rowAtHand()", own.column()) + ')',
                "in.isNull(match.rowAtHand(), " + own.column() + ')', type);
        }
        if (leaf instanceof PatternExpression.Aggregate aggregate)
        {
            final int number = analysis.number(aggregate, inCondition);
            return code.declare(load(aggregate.type(), number),
                aggregate.nullable() ? "match.isNull(" + number + ')' : "false", aggregate.type());
        }
        if (leaf instanceof PatternExpression.Classifier classifier)
        {
            final String name = "match.classifier(" + analysis.number(classifier, inCondition) + ')';
            return code.declare(name, name + " == null", CqlType.CHAR);
        }
        if (leaf instanceof PatternExpression.MatchNumber)
        {
            return code.declare("match.matchNumber()", "false", CqlType.BIGINT);
        }
        throw new IllegalStateException("not a leaf of a pattern, leaf=" + leaf);
    }

    private static String load(final CqlType type, final int number)
    {
        return switch (type)
        {
            case INT -> "(int) match.longValue(" + number + ')';
            case BIGINT, TIMESTAMP, INTERVAL -> "match.longValue(" + number + ')';
            case FLOAT -> "(float) match.doubleValue(" + number + ')';
            case DOUBLE -> "match.doubleValue(" + number + ')';
            case BOOLEAN -> "match.longValue(" + number + ") != 0L";
            default -> '(' + LocalTypes.local(type) + ") match.reference(" + number + ')';
        };
    }

    /** The Java text. */
    String javaText()
    {
        return "package " + PACKAGE + ";\n" +
            "import dev.millrace.cql.runtime.flow.RowStore;\n" +
            "import dev.millrace.cql.runtime.flow.FunctionCaller;\n" +
            "import dev.millrace.cql.runtime.flow.Values;\n" +
            "import dev.millrace.cql.runtime.pattern.MatchView;\n" +
            "import dev.millrace.cql.runtime.pattern.PatternKernel;\n" +
            "public final class " + ANY_NAME + " extends PatternKernel {\n" +
            "  private static Object[] CONSTANTS;\n" +
            "  public static PatternKernel make(final Object[] constants) {\n" +
            "    CONSTANTS = constants;\n" +
            "    return new " + ANY_NAME + "();\n" +
            "  }\n" + methods + terms.text() + argumentTerms.text() + "}\n";
    }

    /**
     * Compiles.
     *
     * @param maker compiles the text
     * @return kernel without state
     */
    PatternKernel make(final ClassMaker maker)
    {
        final String text = javaText();
        final String simpleName = GeneratedName.of(text, ANY_NAME);
        final Class<?> made = maker.make(
            PACKAGE + '.' + simpleName, text.replace(ANY_NAME, simpleName), PatternKernel.class.getClassLoader());
        try
        {
            return (PatternKernel)made.getMethod("make", Object[].class).invoke(null, (Object)constants.toArray());
        }
        catch (final InvocationTargetException | NoSuchMethodException | IllegalAccessException failure)
        {
            throw new IllegalStateException("generated class cannot be used, class=" + simpleName, failure);
        }
    }
}
