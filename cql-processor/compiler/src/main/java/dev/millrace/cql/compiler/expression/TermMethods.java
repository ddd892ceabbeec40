package dev.millrace.cql.compiler.expression;

import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The methods of a generated class that compute parts of long chains of operators. A method has at most 64 KiB of
 * bytecode, and the compiler of generated text descends once per term of an expression.
 *
 * <p>Not thread-safe; used for one class, or for those methods of a class that have the same parameters.
 */
public final class TermMethods
{
    /** Name of the additional parameter of some methods: the value of the previous terms. */
    static final String SO_FAR = "soFar";

    /** Maximum number of operations in one method, where each term has fewer. */
    private static final int MOST_OPERATIONS = 600;

    private final String prefix;
    private final String modifiers;
    private final String parameters;
    private final String arguments;
    private final StringBuilder text = new StringBuilder();
    private int count;

    /**
     * Creates methods with the same parameters.
     *
     * @param prefix     first part of their names
     * @param modifiers  of each method
     * @param parameters declarations of parameters; leaves are read from them
     * @param arguments  names of these parameters
     */
    public TermMethods(final String prefix, final String modifiers, final String parameters, final String arguments)
    {
        this.modifiers = modifiers;
        this.prefix = prefix;
        this.parameters = parameters;
        this.arguments = arguments;
    }

    /** Groups terms, in order, into runs that each fit into a method. */
    static List<List<Expression>> runs(final List<Expression> terms, final int most)
    {
        final List<List<Expression>> runs = new ArrayList<>();
        int from = 0;
        int operations = 0;
        for (int i = 0; i < terms.size(); i++)
        {
            final int more = operations(terms.get(i));
            if (i > from && (i - from == most || operations + more > MOST_OPERATIONS))
            {
                runs.add(terms.subList(from, i));
                from = i;
                operations = 0;
            }
            operations += more;
        }
        runs.add(terms.subList(from, terms.size()));
        return runs;
    }

    /** Size of an expression: its number of operations and leaves. */
    public static int operations(final Expression expression)
    {
        int operations = 1;
        if (expression instanceof Expression.Call call)
        {
            operations += call.arguments().stream().mapToInt(TermMethods::operations).sum();
        }
        else if (expression instanceof Expression.FunctionCall call)
        {
            operations += call.arguments().stream().mapToInt(TermMethods::operations).sum();
        }
        else if (expression instanceof Expression.Case choice)
        {
            operations += choice.conditions().stream().mapToInt(TermMethods::operations).sum() +
                choice.values().stream().mapToInt(TermMethods::operations).sum() + operations(choice.otherwise());
        }
        return operations;
    }

    /**
     * Adds a method.
     *
     * @param result type of its result
     * @param soFar  type of the parameter {@link #SO_FAR}, which comes last; empty if none exists
     * @param code   for its statements
     * @param body   writes them
     * @return the beginning of a call, without the additional argument and the closing parenthesis
     */
    String add(final String result, final String soFar, final ExpressionCode code, final Consumer<ExpressionCode> body)
    {
        final String name = prefix + count++;
        body.accept(code);
        text.append("    ").append(modifiers).append(' ').append(result).append(' ').append(name).append('(')
            .append(parameters)
            .append(soFar.isEmpty() ? "" : ", final " + soFar + ' ' + SO_FAR).append(") {\n").append(code.text())
            .append("    }\n");
        return name + '(' + arguments;
    }

    /** Source text of all methods. */
    public String text()
    {
        return text.toString();
    }
}
