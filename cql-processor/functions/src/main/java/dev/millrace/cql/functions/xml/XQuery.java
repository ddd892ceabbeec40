package dev.millrace.cql.functions.xml;

import dev.millrace.cql.runtime.row.RowRejectedException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import net.sf.saxon.om.NamespaceUri;
import net.sf.saxon.om.StructuredQName;
import net.sf.saxon.query.StaticQueryContext;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XQueryCompiler;
import net.sf.saxon.s9api.XQueryEvaluator;
import net.sf.saxon.s9api.XQueryExecutable;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmSequenceIterator;
import net.sf.saxon.s9api.XdmValue;
import net.sf.saxon.trans.XPathException;
import net.sf.saxon.value.SequenceType;

/**
 * A compiled XQuery. Immutable, thread-safe. Failure: {@link RowRejectedException}, also when the evaluation exceeds
 * its budget.
 */
final class XQuery
{
    /** The only processor, without access to the outside. */
    static final Processor PROCESSOR = new Processor(new SandboxedSaxonConfiguration());
    /** Maximum number of items that a query returns. */
    static final int MAX_ITEMS = 10_000;

    private static final int MAX_KEPT = 1024;
    private static final long MAX_COMPILE_MS = 3000;
    /** Maximum elapsed time of a compilation, in multiples of its CPU time. */
    private static final int MAX_COMPILE_PERIODS = 10;
    private static final long STACK_BYTES = 4 << 20;
    private static final Map<Text, XQuery> KEPT = new LinkedHashMap<>(16, 0.75f, true)
    {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<Text, XQuery> eldest)
        {
            return size() > MAX_KEPT;
        }
    };

    /** The key of a compiled query. */
    private record Text(String query, List<String> namespaces, List<String> variables)
    {
    }

    private final XQueryExecutable executable;
    private final List<String> variables;

    private XQuery(final XQueryExecutable executable, final List<String> variables)
    {
        this.executable = executable;
        this.variables = variables;
    }

    /** A query without variables and namespaces. */
    static XQuery of(final String query)
    {
        return of(query, List.of(), List.of());
    }

    /**
     * The compiled query; equal queries are compiled once.
     *
     * @param query      source text
     * @param namespaces prefix (empty for the default) and URI, alternating
     * @param variables  names that it may use
     */
    static XQuery of(final String query, final List<String> namespaces, final List<String> variables)
    {
        final Text text = new Text(query, List.copyOf(namespaces), List.copyOf(variables));
        synchronized (KEPT)
        {
            final XQuery kept = KEPT.get(text);
            if (kept != null)
            {
                return kept;
            }
        }
        final XQuery compiled = compileInTime(text);
        synchronized (KEPT)
        {
            KEPT.put(text, compiled);
        }
        return compiled;
    }

    /** Compiles on a separate thread: the compiler evaluates constants, and some of these evaluations are slow. */
    private static XQuery compileInTime(final Text text)
    {
        final CompletableFuture<XQuery> compiled = new CompletableFuture<>();
        final Thread compiler = new Thread(null, () ->
        {
            try
            {
                compiled.complete(compile(text));
            }
            // Any failure is passed to the caller.
            catch (final RuntimeException | Error failure)
            {
                compiled.completeExceptionally(failure);
            }
        }, "xquery-compiler", STACK_BYTES);
        compiler.setDaemon(true);
        compiler.start();
        try
        {
            for (int periods = 1;; periods++)
            {
                try
                {
                    return compiled.get(MAX_COMPILE_MS, TimeUnit.MILLISECONDS);
                }
                catch (final TimeoutException late)
                {
                    if (periods == MAX_COMPILE_PERIODS || cpuTimeMs(compiler) >= MAX_COMPILE_MS)
                    {
                        throw XmlErrors.failure(
                            "a query that takes more than " + MAX_COMPILE_MS + " ms to compile");
                    }
                }
            }
        }
        catch (final InterruptedException stopped)
        {
            Thread.currentThread().interrupt();
            throw XmlErrors.failure("stopped while a query was compiled");
        }
        catch (final ExecutionException failure)
        {
            throw failure.getCause() instanceof RowRejectedException cause ? cause :
                XmlErrors.failure(String.valueOf(failure.getCause()));
        }
    }

    /** On a busy machine a compilation waits for processors longer than it runs; the time that it runs is limited. */
    private static long cpuTimeMs(final Thread thread)
    {
        final long timeNs = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
        return timeNs < 0 ? MAX_COMPILE_MS : TimeUnit.NANOSECONDS.toMillis(timeNs);
    }

    private static XQuery compile(final Text text)
    {
        try
        {
            final XQueryCompiler compiler = PROCESSOR.newXQueryCompiler();
            final List<String> problems = new ArrayList<>();
            compiler.setErrorReporter(error ->
            {
                if (!error.isWarning())
                {
                    problems.add(error.getMessage());
                }
            });
            for (int i = 0; i < text.namespaces.size(); i += 2)
            {
                compiler.declareNamespace(text.namespaces.get(i), text.namespaces.get(i + 1));
            }
            final StaticQueryContext context = compiler.getUnderlyingStaticContext();
            for (final String variable : text.variables)
            {
                if (!isDeclared(text.query, variable))
                {
                    context.declareGlobalVariable(new StructuredQName("", NamespaceUri.NULL, variable),
                        SequenceType.ANY_SEQUENCE, null, true);
                }
            }
            return compiled(compiler, text, problems);
        }
        catch (final XPathException | IllegalArgumentException failure)
        {
            throw XmlErrors.failure(failure.getMessage());
        }
    }

    private static boolean isDeclared(final String query, final String variable)
    {
        return Pattern.compile("declare\\s+variable\\s+\\$" + Pattern.quote(variable) + "\\b").matcher(query).find();
    }

    private static XQuery compiled(final XQueryCompiler compiler, final Text text, final List<String> problems)
    {
        try
        {
            final XQueryExecutable executable = compiler.compile(text.query);
            StepCountingExpression.inject(executable.getUnderlyingCompiledQuery());
            return new XQuery(executable, text.variables);
        }
        // For some queries Saxon throws its own unchecked exceptions.
        catch (final SaxonApiException | RuntimeException failure)
        {
            throw XmlErrors.failure(problems.isEmpty() ? String.valueOf(failure.getMessage()) : problems.get(0));
        }
        catch (final StackOverflowError tooDeep)
        {
            throw XmlErrors.failure("a query that is nested too deeply");
        }
    }

    /**
     * Evaluates the query.
     *
     * @param context item, or {@code null}
     * @param values  values of the variables, in their order
     * @return items in order
     */
    List<XdmItem> items(final XdmItem context, final XdmValue... values)
    {
        return EvaluationBudget.within(() -> evaluate(context, values));
    }

    private List<XdmItem> evaluate(final XdmItem context, final XdmValue[] values)
    {
        try
        {
            final XQueryEvaluator evaluator = executable.load();
            evaluator.setErrorReporter(error ->
            {
            });
            evaluator.setTraceFunctionDestination(null);
            if (context != null)
            {
                evaluator.setContextItem(context);
            }
            for (int i = 0; i < variables.size(); i++)
            {
                evaluator.setExternalVariable(new QName(variables.get(i)), values[i]);
            }
            final List<XdmItem> items = new ArrayList<>();
            final XdmSequenceIterator<XdmItem> each = evaluator.iterator();
            while (each.hasNext())
            {
                if (items.size() == MAX_ITEMS)
                {
                    throw XmlErrors.failure("a result of more than " + MAX_ITEMS + " items");
                }
                items.add(each.next());
            }
            return items;
        }
        catch (final RowRejectedException cause)
        {
            throw cause;
        }
        // Saxon's iterators throw its own unchecked exceptions.
        catch (final SaxonApiException | RuntimeException failure)
        {
            throw XmlErrors.failure(String.valueOf(failure.getMessage()));
        }
        catch (final StackOverflowError tooDeep)
        {
            throw XmlErrors.failure("an evaluation that is nested too deeply");
        }
    }
}
