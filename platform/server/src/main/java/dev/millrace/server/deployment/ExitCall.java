package dev.millrace.server.deployment;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;

/**
 * The call of {@code System.exit} that ends the process: the thread that made it hangs in it while the instance stops.
 * Signals end a process in another way and are not found.
 *
 * @param thread name
 * @param frames of its stack, from the code that made the call on
 */
record ExitCall(String thread, List<StackTraceElement> frames)
{
    private static final String RUNTIME = Runtime.class.getName();

    private static final String SYSTEM = System.class.getName();

    /** The call, when there is one now. */
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

    /** Whether code of a bundle made it, or a thread of ours that starts it. */
    boolean isOf(final Bundle bundle)
    {
        return thread.endsWith('-' + bundle.getSymbolicName()) || own(bundle).findFirst().isPresent();
    }

    private Stream<StackTraceElement> own(final Bundle bundle)
    {
        return frames.stream()
            .filter(frame -> bundle.getEntry(frame.getClassName().replace('.', '/') + ".class") != null);
    }

    /** For messages: the call and the line of the application that made it. */
    String describe(final Bundle bundle)
    {
        final StackTraceElement at =
            own(bundle).findFirst().orElseGet(() -> frames.isEmpty() ? null : frames.get(0));
        return "call=System.exit thread=" + thread + (at == null ? "" : " at=" + at);
    }
}
