package dev.millrace.cql.compiler.janino;

import dev.millrace.cql.compiler.split.LargeMethodSplitter;
import dev.millrace.cql.compiler.split.MethodSizes;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * are split. If a directory for source files is given, the text that is compiled is also written there, under the name
 * that a debugger looks for, and class files contain the names of local variables.
 *
 * <p>Loading this class loads Janino; callers that may not need it must refer to it only in code that is not reached
 * then.
 */
final class JaninoSourceCompiler implements SourceCompiler
{
    private static final long LARGE_STACK_BYTES = 256L << 20;
    /** Maximum characters of source text in a part of a large method; less when parts are still too large. */
    private static final int MOST_IN_PART = 8_000;
    private static final int LEAST_IN_PART = 700;
    /** Whether stack traces and debuggers see the lines of generated sources. */
    private static final boolean HAS_LINES = Boolean.getBoolean(Scanner.SYSTEM_PROPERTY_SOURCE_DEBUGGING_ENABLE);

    private final Path sourceDirectory;

    /**
     * @param sourceDirectory receives the source files; {@code null} for none
     */
    JaninoSourceCompiler(final Path sourceDirectory)
    {
        this.sourceDirectory = sourceDirectory;
    }

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
                throw CachingClassCompiler.failure(className, tooDeep);
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
            throw CachingClassCompiler.failure(className, interrupted);
        }
        catch (final ExecutionException failed)
        {
            throw CachingClassCompiler.failure(className, failed.getCause());
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

    private Map<String, byte[]> compiled(final String className, final String javaText, final ClassLoader parent)
        throws CompileException
    {
        final ResolvedTypeCache types = ResolvedTypeCache.take(parent);
        final Map<String, byte[]> files = new HashMap<>();
        for (final ClassFile each : compiled(className, javaText, types))
        {
            files.put(each.getThisClassName(), each.toByteArray());
        }
        types.giveBack();
        return files;
    }

    private List<ClassFile> compiled(final String className, final String javaText, final ResolvedTypeCache types)
        throws CompileException
    {
        if (!LargeMethodSplitter.canCut(javaText))
        {
            return cooked(className, javaText, types);
        }
        final Set<String> large = new HashSet<>();
        List<ClassFile> best = null;
        for (int most = MOST_IN_PART; most >= LEAST_IN_PART; most /= 2)
        {
            best = cooked(className, LargeMethodSplitter.cut(javaText, large, most), types);
            final Set<String> stillLarge = MethodSizes.large(best);
            if (stillLarge.isEmpty())
            {
                break;
            }
            stillLarge.forEach(method -> large.add(LargeMethodSplitter.cutFrom(method)));
        }
        return best;
    }

    private List<ClassFile> cooked(final String className, final String javaText, final ResolvedTypeCache types)
        throws CompileException
    {
        final boolean isDebugged = sourceDirectory != null;
        if (isDebugged)
        {
            writeSource(className, javaText);
        }
        final String fileName = className.substring(className.lastIndexOf('.') + 1) + ".java";
        final List<ClassFile> files = new ArrayList<>();
        try
        {
            new UnitCompiler(new Parser(new Scanner(fileName, new StringReader(javaText)))
                .parseAbstractCompilationUnit(), types).compileUnit(true, isDebugged || HAS_LINES, isDebugged, files);
        }
        catch (final IOException impossible)
        {
            throw new IllegalStateException("a string cannot be read", impossible);
        }
        return files;
    }

    private void writeSource(final String className, final String javaText)
    {
        final Path file = sourceDirectory.resolve(className.replace('.', '/') + ".java");
        try
        {
            Files.createDirectories(file.getParent());
            Files.writeString(file, javaText);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write a generated source file, file=" + file, ex);
        }
    }
}
