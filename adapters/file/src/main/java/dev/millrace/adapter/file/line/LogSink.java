package dev.millrace.adapter.file.line;

import dev.millrace.adapter.common.property.PropertyCheck;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Sink that writes events as lines of the log. */
public final class LogSink extends LineSink
{
    /** The log also contains the messages of the server, which events must not displace. */
    private static final int LINES_PER_SECOND = 100;

    private String loggerName;
    private String levelName = "info";
    private Level level;
    private Logger logger;

    public LogSink(final LongSupplier nanoTime)
    {
        super(LINES_PER_SECOND, nanoTime);
    }

    /** The name of the logger; default {@code millrace.events.APPLICATION.STAGE}. */
    public void setLogger(final String name)
    {
        loggerName = name;
    }

    /** {@code trace}, {@code debug}, {@code info}, {@code warn} or {@code error}; default info. */
    public void setLevel(final String name)
    {
        levelName = name;
    }

    @Override
    void open(final PropertyCheck check)
    {
        level = Arrays.stream(Level.values())
            .filter(each -> each.name().equals(levelName.strip().toUpperCase(Locale.ROOT))).findFirst()
            .orElseThrow(() -> check.wrong("level", levelName,
                "use trace, debug, info, warn or error"));
        if (loggerName != null && loggerName.isBlank())
        {
            throw check.wrong("logger", loggerName, "write the name of a logger, or leave it out");
        }
        logger = LoggerFactory.getLogger(loggerName != null ? loggerName.strip() :
            "millrace.events." + check.stageName().replace('/', '.'));
    }

    @Override
    boolean isEnabled()
    {
        return logger.isEnabledForLevel(level);
    }

    @Override
    void write(final List<String> lines)
    {
        // The text is an argument because it may contain braces, which a message would replace.
        lines.forEach(line -> logger.atLevel(level).log("{}", line));
    }
}
