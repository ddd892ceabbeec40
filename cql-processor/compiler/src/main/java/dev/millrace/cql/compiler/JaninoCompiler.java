package dev.millrace.cql.compiler;

import dev.millrace.cql.compiler.cut.LargeMethods;
import dev.millrace.cql.compiler.cut.MethodSizes;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.commons.compiler.InternalCompilerException;
import org.codehaus.janino.Parser;
import org.codehaus.janino.Scanner;
import org.codehaus.janino.UnitCompiler;
import org.codehaus.janino.util.ClassFile;

/**
 * Compiles with Janino: 2 to 4 ms per class, and without the module {@code jdk.compiler}. Source text that nests too
 * deeply for the caller's stack is compiled again on a thread with a large stack; methods of units that are too large
 * are split.
 *
 * <p>Loading this class loads Janino; callers that may not need it must refer to it only in code that is not reached
 * then.
 */
final class JaninoCompiler implements TextCompiler
{
    private static final long LARGE_STACK_BYTES = 256L << 20;
    /** Maximum characters of source text in a part of a large method; less when parts are still too large. */
    private static final int MOST_IN_PART = 8_000;
    private static final int LEAST_IN_PART = 700;
    /** Whether stack traces and debuggers see the lines of generated sources. */
    private static final boolean HAS_LINES = Boolean.getBoolean(Scanner.SYSTEM_PROPERTY_SOURCE_DEBUGGING_ENABLE);

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
        final LoadedTypes types = LoadedTypes.take(parent);
        final Map<String, byte[]> files = new HashMap<>();
        for (final ClassFile each : compiled(className, javaText, types))
        {
            files.put(each.getThisClassName(), each.toByteArray());
        }
        types.giveBack();
        return files;
    }

    private static List<ClassFile> compiled(final String className, final String javaText, final LoadedTypes types)
        throws CompileException
    {
        if (!LargeMethods.canCut(javaText))
        {
            return cooked(className, javaText, types);
        }
        final Set<String> large = new HashSet<>();
        List<ClassFile> best = null;
        for (int most = MOST_IN_PART; most >= LEAST_IN_PART; most /= 2)
        {
            best = cooked(className, LargeMethods.cut(javaText, large, most), types);
            final Set<String> stillLarge = MethodSizes.large(best);
            if (stillLarge.isEmpty())
            {
                break;
            }
            stillLarge.forEach(method -> large.add(LargeMethods.cutFrom(method)));
        }
        return best;
    }

    private static List<ClassFile> cooked(final String className, final String javaText, final LoadedTypes types)
        throws CompileException
    {
        final List<ClassFile> files = new ArrayList<>();
        try
        {
            new UnitCompiler(new Parser(new Scanner(className + ".java", new StringReader(javaText)))
                .parseAbstractCompilationUnit(), types).compileUnit(true, HAS_LINES, false, files);
        }
        catch (final IOException impossible)
        {
            throw new IllegalStateException("a string cannot be read", impossible);
        }
        return files;
    }
}
