package dev.millrace.cql.compiler.flow;

import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.GeneratedName;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LeafText;
import dev.millrace.cql.compiler.expression.StaticConstants;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Field;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.flow.Calc;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the columns that routes and patterns of a flow need computed, writes one class of Java text for all and
 * compiles it.
 *
 * <p>Used by one thread, for one flow. Failure: {@link IllegalStateException} when the text does not compile, which is
 * a bug of the generator.
 */
final class CalcGenerator
{
    private static final String PACKAGE = "dev.millrace.cql.generated";
    /** Stands for the name of a class until its text is complete. */
    private static final String ANY_NAME = "GeneratedFlow";
    /** A method of the virtual machine has at most 64 KiB of code; text is several times longer than its code. */
    private static final int MAX_METHOD_CHARS = 40_000;

    private final StaticConstants constants = new StaticConstants();
    private final StringBuilder classes = new StringBuilder();
    private int count;

    /**
     * Adds columns.
     *
     * @param fields over {@link Expression.Column} of the row
     * @param input  columns of the row
     * @return index for {@link #make}
     */
    int add(final List<Field> fields, final RowType input)
    {
        final LeafText leaves = (leaf, code) ->
        {
            if (!(leaf instanceof Expression.Column column))
            {
                throw new IllegalStateException("not a column of a row, leaf=" + leaf);
            }
            return code.readColumn("in", "row", column.column(), input.types().get(column.column()));
        };
        final StringBuilder methods = new StringBuilder();
        final TermMethods terms = new TermMethods(
            "terms", "private static", "final RowStore in, final int row", "in, row");
        final List<String> parts = new ArrayList<>();
        ExpressionCode code = new ExpressionCode(constants, leaves, terms);
        for (int i = 0; i < fields.size(); i++)
        {
            code.store("out", "outRow", i, code.write(fields.get(i).expression()));
            if (code.length() > MAX_METHOD_CHARS || i == fields.size() - 1)
            {
                parts.add(code.text());
                code = new ExpressionCode(constants, leaves, terms);
            }
        }
        final StringBuilder calls = new StringBuilder();
        final String parameters = "(final RowStore in, final int row, final RowStore out, final int outRow)";
        for (int i = 0; i < parts.size(); i++)
        {
            method(methods, "private void part" + i + parameters, parts.get(i));
            calls.append("        part").append(i).append("(in, row, out, outRow);\n");
        }
        method(methods, "public void project" + parameters, calls.toString());
        classes.append("  public static final class Calc").append(count).append(" extends Calc {\n").append(methods)
            .append(terms.text()).append("  }\n");
        return count++;
    }

    private static void method(final StringBuilder methods, final String heading, final String body)
    {
        methods.append("    ").append(heading).append(" {\n").append(body).append("    }\n");
    }

    /** The Java text so far. */
    String javaText()
    {
        return "package " + PACKAGE + ";\n" +
            "import dev.millrace.cql.runtime.flow.Calc;\n" +
            "import dev.millrace.cql.runtime.flow.RowStore;\n" +
            "import dev.millrace.cql.runtime.flow.FunctionCaller;\n" +
            "import dev.millrace.cql.runtime.flow.Values;\n" +
            "public final class " + ANY_NAME + " {\n" +
            "  private static Object[] CONSTANTS;\n" +
            "  public static Calc[] make(final Object[] constants) {\n" +
            "    CONSTANTS = constants;\n" +
            "    return new Calc[] {" + instances() + "};\n" +
            "  }\n" + classes + "}\n";
    }

    private String instances()
    {
        final List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            all.add("new Calc" + i + "()");
        }
        return String.join(", ", all);
    }

    /**
     * Compiles.
     *
     * @param maker compiles the text
     * @return what was added, in order
     */
    Calc[] make(final ClassMaker maker)
    {
        final String text = javaText();
        final String simpleName = GeneratedName.of(text, ANY_NAME);
        final Class<?> made = maker.make(
            PACKAGE + '.' + simpleName, text.replace(ANY_NAME, simpleName), Calc.class.getClassLoader());
        try
        {
            return (Calc[])made.getMethod("make", Object[].class).invoke(null, (Object)constants.toArray());
        }
        catch (final InvocationTargetException | NoSuchMethodException | IllegalAccessException failure)
        {
            throw new IllegalStateException("generated class cannot be used, class=" + simpleName, failure);
        }
    }
}
