package dev.millrace.adapter.common.encode;

import dev.millrace.adapter.common.property.PropertyCheck;
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
    public FormatSettings check(final PropertyCheck check)
    {
        final List<String> names = columns == null ? null :
            Arrays.stream(columns.split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList();
        if (names != null && names.isEmpty())
        {
            throw check.wrong("columns", columns,
                "list properties, separated by commas, or leave it out for all");
        }
        return new FormatSettings(names, header, check.separator(separator), timeColumn,
            kindColumn);
    }
}
