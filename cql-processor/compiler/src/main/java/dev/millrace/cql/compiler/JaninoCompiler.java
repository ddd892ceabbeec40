package dev.millrace.cql.compiler;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.commons.compiler.InternalCompilerException;
import org.codehaus.janino.SimpleCompiler;

/**
 * Compiles with Janino: 2 to 4 ms a class, and works on a runtime image without {@code jdk.compiler}. Text that nests
 * too deep for the caller's stack is compiled once more by a thread with a large one.
 *
 * <p>Loading this class loads classes of Janino; whoever may do without them names it in code that is not reached then.
 */
final class JaninoCompiler implements TextCompiler
{
    private static final long LARGE_STACK_BYTES = 256L << 20;

    @Override
    public Map<String, byte[]> compile(final String className, final String javaText, final ClassLoader parent)
    {
        try
        {
            return compiled(className, javaText, parent);
        }
        catch (final CompileException | InternalCompilerException | StackOverflowError tooDeep)
        {
            if (!isTooDeep(tooDeep))
            {
                throw KeptClassMaker.failure(className, tooDeep);
            }
        }
        final FutureTask<Map<String, byte[]>> task = new FutureTask<>(() -> compiled(className, javaText, parent));
        final Thread thread = new Thread(null, task, "compiler-of-" + className, LARGE_STACK_BYTES);
        thread.start();
        try
        {
            return task.get();
        }
        catch (final InterruptedException interrupted)
        {
            Thread.currentThread().interrupt();
            throw KeptClassMaker.failure(className, interrupted);
        }
        catch (final ExecutionException failed)
        {
            throw KeptClassMaker.failure(className, failed.getCause());
        }
    }

    private static boolean isTooDeep(final Throwable failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause instanceof StackOverflowError)
            {
                return true;
            }
        }
        return false;
    }

    private static Map<String, byte[]> compiled(final String className, final String javaText, final ClassLoader parent)
        throws CompileException
    {
        final SimpleCompiler compiler = new SimpleCompiler();
        compiler.setParentClassLoader(parent);
        compiler.setDebuggingInformation(true, true, false);
        compiler.cook(className + ".java", javaText);
        return compiler.getBytecodes();
    }
}
