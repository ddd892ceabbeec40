package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.compiler.emit.ImportDeclarations;
import dev.millrace.cql.compiler.expression.BatchColumns;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.ExpressionParts;
import dev.millrace.cql.compiler.expression.FieldConstants;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.GeneratedName;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.runtime.function.FunctionCaller;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.row.RowHashes;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.lang.reflect.Constructor;
import java.util.TreeSet;

/**
 * Generates a class with the hashes of a value that is computed from each row of a batch.
 *
 * <p>Not thread-safe; used for one route. Failure: {@link IllegalStateException} when the source text does not compile,
 * which is a defect of the generator.
 */
final class RoutingHashGenerator
{
    private static final String PACKAGE = "dev.millrace.cql.generated";
    /** Placeholder for the name of a class until its source text is complete. */
    private static final String ANY_NAME = "GeneratedRoute";

    private final FieldConstants constants = new FieldConstants();
    private final String anyText;

    /**
     * @param source whose rows it reads
     * @param value  over its columns, followed by the time
     */
    RoutingHashGenerator(final FlowNode.Source source, final Expression value)
    {
        final TermMethods terms = new TermMethods("terms", "private", "", "");
        final ExpressionCode code = new ExpressionCode(constants, (leaf, writer) -> column(leaf), terms);
        final Operand result = code.write(value);
        code.line("return " + (result.canBeNull() ? result.isNull() + " ? NULL : " : "") + "hash(" +
            argument(result.type()) + '(' + result.value() + "));");
        final StringBuilder fields = new StringBuilder();
        final StringBuilder binds = new StringBuilder();
        final StringBuilder loads = new StringBuilder();
        final TreeSet<Integer> columns = new TreeSet<>();
        collect(value, columns);
        for (final int column : columns)
        {
            final CqlType type = source.rows().types().get(column);
            fields.append(BatchColumns.fields(type, column));
            if (column == source.type().properties().size())
            {
                loads.append("        x").append(column).append(" = batch.timestampNs(row);\n");
                continue;
            }
            binds.append(BatchColumns.bind(type, column));
            loads.append(BatchColumns.load(type, column));
        }
        anyText = "package " + PACKAGE + ";\n" +
            ImportDeclarations.of(EventBatch.class, CharColumn.class, FunctionCaller.class, RowHashes.class,
            RowRejectedException.class, Values.class) +
            "public final class " + ANY_NAME + " extends RowHashes {\n" + fields + constants.fields() +
            "  public " + ANY_NAME + "(final Object[] constants) {\n" + constants.statements() + "  }\n" +
            "  public void of(final EventBatch batch, final long[] hashes) {\n" + binds +
            "    for (int row = 0; row < batch.size(); row++) {\n      try {\n" + loads +
            "        hashes[row] = hash();\n" +
            // The engine meets the same failure, or does not need the value: all such rows stay together.
            "      } catch (RowRejectedException unknown) {\n        hashes[row] = NULL;\n      }\n    }\n  }\n" +
            "  private long hash() {\n" + code.text() + "  }\n" + terms.text() + "}\n";
    }

    /** The type that the value is cast to, to select one of several overloads. */
    private static String argument(final CqlType type)
    {
        return switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL -> "(long) ";
            case FLOAT, DOUBLE -> "(double) ";
            case BOOLEAN -> "(boolean) ";
            default -> "(Object) ";
        };
    }

    private static Operand column(final Expression leaf)
    {
        if (leaf instanceof Expression.Column column)
        {
            return new Operand("x" + column.column(), "z" + column.column(), column.type());
        }
        throw new IllegalStateException("not a column of a row, leaf=" + leaf);
    }

    private static void collect(final Expression expression, final TreeSet<Integer> columns)
    {
        if (expression instanceof Expression.Column column)
        {
            columns.add(column.column());
        }
        ExpressionParts.of(expression).forEach(each -> collect(each, columns));
    }

    /** Arguments of the constructor. */
    Object[] constants()
    {
        return constants.toArray();
    }

    /** Its source text, for diagnosis. */
    String javaText()
    {
        return anyText;
    }

    /**
     * Compiles the class.
     *
     * @param maker compiles the source text
     * @return creates hashes, which are not thread-safe
     */
    Constructor<?> make(final ClassCompiler maker)
    {
        final String simpleName = GeneratedName.of(anyText, ANY_NAME);
        final Class<?> made = maker.make(PACKAGE + '.' + simpleName, anyText.replace(ANY_NAME, simpleName),
            RowHashes.class.getClassLoader());
        try
        {
            return made.getConstructor(Object[].class);
        }
        catch (final NoSuchMethodException failure)
        {
            throw new IllegalStateException("generated class cannot be used, class=" + simpleName, failure);
        }
    }
}
