package dev.millrace.cql.compiler.split;

import org.codehaus.janino.Java;
import org.codehaus.janino.util.AbstractTraverser;

/**
 * Finds statements that leave an enclosing statement.
 *
 * <p>Not thread-safe; used for one statement.
 */
final class AbruptExits extends AbstractTraverser<RuntimeException>
{
    private boolean isFound;

    boolean isFound()
    {
        return isFound;
    }

    @Override
    public void traverseReturnStatement(final Java.ReturnStatement statement)
    {
        isFound = true;
    }

    @Override
    public void traverseBreakStatement(final Java.BreakStatement statement)
    {
        isFound = true;
    }

    @Override
    public void traverseContinueStatement(final Java.ContinueStatement statement)
    {
        isFound = true;
    }
}
