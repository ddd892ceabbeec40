package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.spi.EventStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/** Reads what a stage records and plays back; problems are collected. Not thread-safe. */
final class RecordingReader
{
    private static final Pattern DURATION = Pattern.compile("(\\d{1,6}):([0-5]\\d):([0-5]\\d)");
    private static final List<String> COMMON = List.of("dataset-name", "event-type-list", "provider-name",
        "store-policy-parameters", "time-range", "time-range-offset", "batch-size", "batch-time-out", "max-size",
        "max-threads");
    private static final List<String> PLAYBACK =
        List.of("schedule-time-range", "schedule-time-range-offset", "playback-speed", "repeat");
    private static final int MAX_NUMBER = 1_000_000_000;

    private final Problems problems;
    private final ElementNameCheck names;
    private final Map<String, Located> values = new HashMap<>();
    private final List<String> eventTypes = new ArrayList<>();
    private TimeRange range;
    private TimeRange schedule;
    private boolean hasRange;
    private boolean hasSchedule;
    private boolean isRefused;

    RecordingReader(final Problems problems, final ElementNameCheck names)
    {
        this.problems = problems;
        this.names = names;
    }

    /** Reads {@code record-parameters}; {@code null} if they are wrong. */
    RecordingSettings recording(final String stage, final Element element)
    {
        read(element, false);
        return isRefused ? null : new RecordingSettings(stage, values.get("dataset-name").value(), eventTypes,
            value("provider-name"), range, XmlPositions.of(element));
    }

    /** Reads {@code playback-parameters}; {@code null} if they are wrong. */
    PlaybackSettings playback(final String stage, final Element element)
    {
        read(element, true);
        final double speed = speed();
        final boolean isRepeated = isRepeated();
        return isRefused ? null : new PlaybackSettings(stage, values.get("dataset-name").value(), eventTypes,
            value("provider-name"), range, schedule, range != null || schedule != null, speed, isRepeated,
            XmlPositions.of(element));
    }

    private String value(final String name)
    {
        return values.containsKey(name) ? values.get(name).value() : null;
    }

    private void read(final Element element, final boolean isPlayback)
    {
        names.attributes(element);
        names.noText(element);
        final List<String> allowed = new ArrayList<>(COMMON);
        allowed.addAll(isPlayback ? PLAYBACK : List.of());
        for (final Element child : Elements.children(element))
        {
            if (!isPlayback && child.getNamespaceURI() == null && PLAYBACK.contains(child.getLocalName()))
            {
                refuse(AssemblyErrorCode.CONTRADICTION, child, "only playback has this setting",
                    "move it to playback-parameters");
            }
            else if (names.known(element, child, allowed))
            {
                child(child, isPlayback);
            }
            else
            {
                isRefused = true;
            }
        }
        dataset(element);
    }

    private void child(final Element child, final boolean isPlayback)
    {
        switch (child.getLocalName())
        {
            case "event-type-list" -> eventTypes(child);
            case "store-policy-parameters" -> refuse(AssemblyErrorCode.NOT_AVAILABLE, child,
                "policies of stores are not available", "remove it; event-store in the server's config.xml limits " +
                    "the size of datasets");
            case "time-range", "time-range-offset" ->
            {
                range = once(child, hasRange, range);
                hasRange = true;
            }
            case "schedule-time-range", "schedule-time-range-offset" ->
            {
                schedule = once(child, hasSchedule, schedule);
                hasSchedule = true;
            }
            case "batch-size", "batch-time-out" ->
            {
                if (isPlayback)
                {
                    refuse(AssemblyErrorCode.CONTRADICTION, child, "only recording has this setting",
                        "remove it; rows are played back in the batches in which they were recorded");
                }
                number(child);
            }
            case "max-size" -> number(child);
            case "max-threads" -> threads(child, isPlayback);
            default -> names.value(child, values);
        }
    }

    private void refuse(final AssemblyErrorCode code, final Element element, final String what, final String hint)
    {
        isRefused = true;
        problems.add(code, XmlPositions.of(element), what + ", element=" + element.getNodeName(), hint);
    }

    private void badValue(final Located value, final String what, final String hint)
    {
        isRefused = true;
        problems.add(AssemblyErrorCode.BAD_VALUE, value.position(), what + ", value=" + value.value(), hint);
    }

    private void dataset(final Element element)
    {
        final Located name = values.get("dataset-name");
        if (name == null)
        {
            refuse(AssemblyErrorCode.MISSING, element, "the name of a dataset is missing",
                "add <dataset-name> with the name under which the rows are stored");
        }
        else if (!EventStore.isDataset(name.value()))
        {
            badValue(name, "not the name of a dataset, dataset-name", "use " + EventStore.NAMES);
        }
    }

    private void eventTypes(final Element list)
    {
        names.attributes(list);
        names.noText(list);
        for (final Element child : Elements.children(list))
        {
            if (names.known(list, child, List.of("event-type")))
            {
                names.textOnly(child);
                eventTypes.add(Elements.text(child).value());
            }
            else
            {
                isRefused = true;
            }
        }
        if (Elements.children(list).isEmpty())
        {
            refuse(AssemblyErrorCode.MISSING, list, "the list has no event type",
                "add <event-type> elements, or remove the list for all types");
        }
    }

    /** A setting of the write buffer, which does not exist: rows are appended at once. */
    private int number(final Element element)
    {
        names.value(element, values);
        final Located value = Elements.text(element);
        if (!value.value().matches("\\d{1,9}"))
        {
            badValue(value, "not a whole number from 0 to " + MAX_NUMBER + ", setting=" + element.getNodeName(),
                "write a number in that range, or remove it");
            return 0;
        }
        return Integer.parseInt(value.value());
    }

    private void threads(final Element element, final boolean isPlayback)
    {
        if (number(element) > 1 && isPlayback)
        {
            refuse(AssemblyErrorCode.NOT_AVAILABLE, element, "several threads would change the order of the rows",
                "remove it: one thread plays rows back in the order in which they were recorded");
        }
    }

    private TimeRange once(final Element element, final boolean isSecond, final TimeRange before)
    {
        if (isSecond)
        {
            refuse(AssemblyErrorCode.DUPLICATE, element, "there are two time ranges", "keep one of them");
            return before;
        }
        return element.getLocalName().endsWith("-offset") ? offset(element) : range(element);
    }

    private TimeRange range(final Element element)
    {
        final Map<String, Located> parts = parts(element, List.of("start", "end"));
        if (parts == null)
        {
            return null;
        }
        final Long start = time(element, parts.get("start"), "start");
        final Long end = time(element, parts.get("end"), "end");
        if (start == null || end == null)
        {
            return null;
        }
        if (start >= end)
        {
            badValue(parts.get("end"), "the end is not later than the start, element=" + element.getNodeName() +
                " start=" + parts.get("start").value() + " end", "write a later time");
            return null;
        }
        return new TimeRange(start, end);
    }

    private TimeRange offset(final Element element)
    {
        final Map<String, Located> parts = parts(element, List.of("start", "duration"));
        if (parts == null)
        {
            return null;
        }
        final Long start = time(element, parts.get("start"), "start");
        final Located written = parts.get("duration");
        if (written == null)
        {
            missing(element, "duration");
            return null;
        }
        final Matcher matcher = DURATION.matcher(written.value());
        final Duration duration = !matcher.matches() ? Duration.ZERO :
            Duration.ofHours(Long.parseLong(matcher.group(1))).plusMinutes(Long.parseLong(matcher.group(2)))
                .plusSeconds(Long.parseLong(matcher.group(3)));
        if (duration.isZero())
        {
            badValue(written, "not a duration", "write hours, minutes and seconds, more than 0, for example 01:30:00");
            return null;
        }
        return start == null ? null : new TimeRange(start, start + duration.toNanos());
    }

    /** The parts of a time range; {@code null} if there are others. */
    private Map<String, Located> parts(final Element element, final List<String> allowed)
    {
        boolean isKnown = true;
        names.attributes(element);
        names.noText(element);
        final Map<String, Located> parts = new HashMap<>();
        for (final Element child : Elements.children(element))
        {
            if (names.known(element, child, allowed))
            {
                names.value(child, parts);
            }
            else
            {
                isKnown = false;
                isRefused = true;
            }
        }
        return isKnown ? parts : null;
    }

    private void missing(final Element element, final String what)
    {
        refuse(AssemblyErrorCode.MISSING, element, "the time range has no " + what, "add <" + what + '>');
    }

    private Long time(final Element element, final Located written, final String what)
    {
        if (written == null)
        {
            missing(element, what);
            return null;
        }
        final Long time = TimeRange.parse(written.value());
        if (time == null)
        {
            badValue(written, "not a time, element=" + what, "write " + TimeRange.FORM);
        }
        return time;
    }

    private double speed()
    {
        final Located written = values.get("playback-speed");
        if (written == null)
        {
            return 1;
        }
        if (written.value().matches("\\d{1,9}(\\.\\d{1,9})?") &&
            PlaybackSettings.isSpeed(Double.parseDouble(written.value())))
        {
            return Double.parseDouble(written.value());
        }
        badValue(written, "not a speed, setting=playback-speed", "write a number such as 1, as recorded, 2, twice as " +
            "fast, or 0.5; at most " + (long)PlaybackSettings.MAX_SPEED);
        return 1;
    }

    private boolean isRepeated()
    {
        final Located written = values.get("repeat");
        if (written != null && !written.value().equals("true") && !written.value().equals("false"))
        {
            badValue(written, "neither true nor false, setting=repeat", "write true or false");
        }
        return written != null && written.value().equals("true");
    }
}
