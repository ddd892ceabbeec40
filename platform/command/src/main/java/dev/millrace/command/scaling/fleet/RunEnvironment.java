package dev.millrace.command.scaling.fleet;

import dev.millrace.command.instance.JvmOptions;
import dev.millrace.command.instance.ProcessorSets;

/**
 * Processors and JVM options of instances and generators.
 *
 * @param sets          processors of the instances, assigned round-robin
 * @param generatorSets processors of the generators, assigned round-robin
 * @param jvmOptions    added to those of the default domain
 */
public record RunEnvironment(ProcessorSets sets, ProcessorSets generatorSets, JvmOptions jvmOptions)
{
    /** All processors, and the options of the default domain. */
    public static final RunEnvironment USUAL =
        new RunEnvironment(ProcessorSets.NONE, ProcessorSets.NONE, JvmOptions.USUAL);
}
