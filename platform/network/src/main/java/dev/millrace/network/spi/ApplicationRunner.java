package dev.millrace.network.spi;

import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs applications without a server: rows of files instead of adapters, and rows of channels and adapters into files.
 * Confined to one thread, except {@link Surroundings#isStopped}.
 */
public interface ApplicationRunner
{
    /** The standard input or output as a file. */
    String STANDARD = "-";
    /** A stage or column of the settings does not exist, or cannot be used: correct its name. */
    String WRONG_NAME = "CMD-0271";

    /**
     * Runs an application until its inputs are at their end.
     *
     * @return a summary
     * @throws DeploymentException with every problem of the application, or a wrong name in the settings
     * @throws IOException         if a file cannot be read or written; the message contains it
     */
    Summary run(Settings settings, Surroundings surroundings) throws DeploymentException, IOException;

    /** How files contain rows. */
    enum Format
    {
        /** Comma-separated values; the first line names the properties. */
        CSV,
        /** A JSON object on each line. */
        JSON
    }

    /**
     * An input or output. Immutable.
     *
     * @param stage  id of a channel or adapter
     * @param file   path, or {@link #STANDARD}
     * @param format of the rows
     */
    record Connection(String stage, String file, Format format)
    {
        /** Whether it is the standard input or output. */
        public boolean isStandard()
        {
            return STANDARD.equals(file);
        }
    }

    /**
     * What to run. Immutable.
     *
     * @param application bundle, or directory of a project
     * @param classPath   further jars and directories of classes
     * @param inputs      at least one; at most one for each stage
     * @param outputs     at most one for each stage; none for all channels that processors feed, to the standard output
     * @param times       columns with the times of rows: {@code COLUMN}, or {@code STAGE.COLUMN}; none for application
     *                    time or, if a channel has none, for times of arrival
     * @param advance     by which time advances after the last row, unless rows have times of arrival
     * @param timeColumn  name of a column of outputs for the time of rows; {@code null} for none
     * @param defaults    format of outputs that the application determines
     * @param properties  values of placeholders
     */
    record Settings(Path application, List<Path> classPath, List<Connection> inputs, List<Connection> outputs,
        List<String> times, Duration advance, String timeColumn, Format defaults, Map<String, String> properties)
    {
        /** Copies the collections. */
        public Settings
        {
            classPath = List.copyOf(classPath);
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
            times = List.copyOf(times);
            properties = Map.copyOf(properties);
        }
    }

    /** The process around a run. */
    interface Surroundings
    {
        /** Returns the standard input. */
        InputStream in();

        /** Returns the standard output. */
        PrintStream out();

        /**
         * Reports a line that is no row; the run continues.
         *
         * @param line number of the line, from 1
         * @param text code, reason, and the value or column
         */
        void invalid(String file, long line, String text);

        /**
         * Reports progress, after every row.
         *
         * @param rows  rows read so far
         * @param bytes bytes read so far
         */
        void progress(long rows, long bytes);

        /** Whether the run is to end now; called by the thread of the run, set by any. */
        boolean isStopped();
    }

    /**
     * What has happened. Immutable.
     *
     * @param rowsRead     rows of all inputs
     * @param rowsWritten  rows of all outputs
     * @param invalidLines lines that are no rows
     * @param rejections   stages that have rejected rows, how many, and why
     * @param isVirtual    whether time was that of the rows
     */
    record Summary(long rowsRead, long rowsWritten, long invalidLines, List<String> rejections, boolean isVirtual)
    {
        /** Copies the list. */
        public Summary
        {
            rejections = List.copyOf(rejections);
        }
    }
}
