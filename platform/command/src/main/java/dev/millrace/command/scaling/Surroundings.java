package dev.millrace.command.scaling;

import dev.millrace.command.instance.ProcessorSets;
import java.util.regex.Pattern;

/**
 * Where instances and generators run, and how.
 *
 * @param sets          processors of the instances, dealt out in turn
 * @param generatorSets processors of the generators, dealt out in turn
 * @param jvmOptions    added to those of the default domain; a collector takes the place of its collector
 */
public record Surroundings(ProcessorSets sets, ProcessorSets generatorSets, String jvmOptions)
{
    /** All processors, and the options of the default domain. */
    public static final Surroundings USUAL = new Surroundings(ProcessorSets.NONE, ProcessorSets.NONE, "");

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w*GC\\b");
    private static final Pattern COLLECTOR_LINE = Pattern.compile("(?m)^" + COLLECTOR.pattern());

    /** The file jvm.options of an instance, from that of the default domain. */
    String options(final String file)
    {
        if (jvmOptions.isBlank())
        {
            return file;
        }
        final String kept = COLLECTOR.matcher(jvmOptions).find() ? COLLECTOR_LINE.matcher(file).replaceAll("# $0") :
            file;
        return kept + "\n# Of this study.\n" + jvmOptions.strip() + "\n";
    }
}
