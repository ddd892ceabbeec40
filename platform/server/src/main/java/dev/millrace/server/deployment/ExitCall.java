package dev.millrace.server.deployment;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;

/**
 * A call of {@code System.exit} that ends the process. The calling thread blocks in it while the instance stops.
 * Processes ended by a signal have no such call.
 *
 * @param frames its stack, beginning with the code that made the call
 */
record ExitCall(String thread, List<StackTraceElement> frames)
{
    private static final String RUNTIME = Runtime.class.getName();

    private static final String SYSTEM = System.class.getName();

    /** Returns the current call, if there is one. */
    static Optional<ExitCall> find()
    {
        for (final Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet())
        {
            final List<StackTraceElement> frames = List.of(each.getValue());
            final boolean isExit = frames.stream()
                .anyMatch(frame -> frame.getClassName().equals(RUNTIME) && frame.getMethodName().equals("exit"));
            if (isExit)
            {
                return Optional.of(new ExitCall(each.getKey().getName(), frames.stream().dropWhile(frame ->
                    !frame.getClassName().equals(RUNTIME)).dropWhile(frame -> frame.getClassName().equals(RUNTIME)
                    || frame.getClassName().equals(SYSTEM)).toList()));
            }
        }
        return Optional.empty();
    }

    /** Whether the call was made by code of a bundle or by the thread that starts the bundle. */
    boolean isOf(final Bundle bundle)
    {
        return thread.endsWith('-' + bundle.getSymbolicName()) || own(bundle).findFirst().isPresent();
    }

    private Stream<StackTraceElement> own(final Bundle bundle)
    {
        return frames.stream()
            .filter(frame -> bundle.getEntry(frame.getClassName().replace('.', '/') + ".class") != null);
    }

    /** Describes the call and the application's line that made it, for messages. */
    String describe(final Bundle bundle)
    {
        final StackTraceElement at =
            own(bundle).findFirst().orElseGet(() -> frames.isEmpty() ? null : frames.get(0));
        return "call=System.exit thread=" + thread + (at == null ? "" : " at=" + at);
    }
}
