package dev.millrace.adapter.file.format;

import dev.millrace.adapter.file.property.InstanceProperty;
import java.util.Arrays;
import java.util.List;

/** The instance properties of lines as set, and their validation. Not thread-safe. */
public final class FormatProperties
{
    public String columns;
    public boolean header = true;
    public String separator = ",";
    public String timeColumn;
    public String kindColumn;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    public FormatSettings check(final String stageName)
    {
        final List<String> names = columns == null ? null :
            Arrays.stream(columns.split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList();
        if (names != null && names.isEmpty())
        {
            throw InstanceProperty.wrong(stageName, "columns", columns,
                "list properties, separated by commas, or leave it out for all");
        }
        return new FormatSettings(names, header, InstanceProperty.separator(stageName, separator), timeColumn,
            kindColumn);
    }
}
