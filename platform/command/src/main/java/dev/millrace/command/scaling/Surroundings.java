package dev.millrace.command.scaling;

import dev.millrace.command.instance.JvmOptions;
import dev.millrace.command.instance.ProcessorSets;

/**
 * Where instances and generators run, and how.
 *
 * @param sets          processors of the instances, dealt out in turn
 * @param generatorSets processors of the generators, dealt out in turn
 * @param jvmOptions    added to those of the default domain
 */
public record Surroundings(ProcessorSets sets, ProcessorSets generatorSets, JvmOptions jvmOptions)
{
    /** All processors, and the options of the default domain. */
    public static final Surroundings USUAL =
        new Surroundings(ProcessorSets.NONE, ProcessorSets.NONE, JvmOptions.USUAL);
}
