package dev.millrace.cql.compiler.split;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.codehaus.janino.Java;
import org.codehaus.janino.util.AbstractTraverser;

/**
 * The variables of a method, renamed so that each has a unique name in the class. Those of statements that are never
 * split keep their names.
 *
 * <p>Not thread-safe; used for one method.
 */
final class MethodVariables extends AbstractTraverser<RuntimeException>
{
    /** Precedes the number of a variable in its name. */
    static final String MARK = "__L";

    private final String prefix;
    private final Deque<Map<String, String>> scopes = new ArrayDeque<>();
    private final Map<Java.VariableDeclarator, Integer> numbers = new IdentityHashMap<>();
    private final List<String> names = new ArrayList<>();
    private final List<String> types = new ArrayList<>();
    private int whole;

    /**
     * @param prefix first letters of the new names
     */
    MethodVariables(final Java.FunctionDeclarator function, final String prefix)
    {
        this.prefix = prefix;
        scopes.push(new HashMap<>());
        for (final Java.FunctionDeclarator.FormalParameter parameter : function.formalParameters.parameters)
        {
            declare(parameter.name, parameter.type.toString());
        }
        function.statements.forEach(this::visitBlockStatement);
    }

    /** Number of renamed variables. */
    int count()
    {
        return names.size();
    }

    /** Whether a variable is renamed, and may become a field. */
    boolean has(final Java.VariableDeclarator variable)
    {
        return numbers.containsKey(variable);
    }

    /** The number of a variable. */
    int number(final Java.VariableDeclarator variable)
    {
        return numbers.get(variable);
    }

    /** The name of a variable by its number; parameters come first. */
    String name(final int number)
    {
        return names.get(number);
    }

    /** The type of a variable by its number. */
    String type(final int number)
    {
        return types.get(number);
    }

    private int declare(final String name, final String type)
    {
        final int number = names.size();
        names.add(prefix + name + MARK + number);
        types.add(type);
        scopes.peek().put(name, names.get(number));
        return number;
    }

    private void inScope(final Runnable statements)
    {
        scopes.push(new HashMap<>());
        statements.run();
        scopes.pop();
    }

    @Override
    public void traverseLocalVariableDeclarationStatement(final Java.LocalVariableDeclarationStatement statement)
    {
        for (final Java.VariableDeclarator variable : statement.variableDeclarators)
        {
            if (variable.initializer instanceof Java.Rvalue value)
            {
                visitAtom(value);
            }
            else if (variable.initializer instanceof Java.ArrayInitializer initializer)
            {
                values(initializer);
            }
            if (whole > 0 || variable.brackets > 0 || variable.initializer instanceof Java.ArrayInitializer)
            {
                scopes.peek().put(variable.name, variable.name);
            }
            else
            {
                numbers.put(variable, declare(variable.name, statement.type.toString()));
            }
        }
    }

    @Override
    public void traverseAmbiguousName(final Java.AmbiguousName name)
    {
        for (final Map<String, String> scope : scopes)
        {
            final String known = scope.get(name.identifiers[0]);
            if (known != null)
            {
                name.identifiers[0] = known;
                return;
            }
        }
    }

    /** Janino's traverser does not visit the elements. */
    @Override
    public void traverseNewInitializedArray(final Java.NewInitializedArray array)
    {
        values(array.arrayInitializer);
    }

    private void values(final Java.ArrayInitializer initializer)
    {
        for (final Java.ArrayInitializerOrRvalue each : initializer.values)
        {
            if (each instanceof Java.Rvalue value)
            {
                visitAtom(value);
            }
            else
            {
                values((Java.ArrayInitializer)each);
            }
        }
    }

    @Override
    public void traverseBlock(final Java.Block block)
    {
        inScope(() -> super.traverseBlock(block));
    }

    @Override
    public void traverseForStatement(final Java.ForStatement loop)
    {
        inScope(() -> super.traverseForStatement(loop));
    }

    @Override
    public void traverseSwitchStatement(final Java.SwitchStatement choice)
    {
        whole++;
        inScope(() -> super.traverseSwitchStatement(choice));
        whole--;
    }

    @Override
    public void traverseTryStatement(final Java.TryStatement attempt)
    {
        visitBlockStatement(attempt.body);
        whole++;
        for (final Java.CatchClause clause : attempt.catchClauses)
        {
            inScope(() ->
            {
                scopes.peek().put(clause.catchParameter.name, clause.catchParameter.name);
                visitBlockStatement(clause.body);
            });
        }
        whole--;
        if (attempt.finallY != null)
        {
            visitBlockStatement(attempt.finallY);
        }
    }
}
