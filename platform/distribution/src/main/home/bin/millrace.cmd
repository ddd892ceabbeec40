@echo off
rem The millrace command. Try: millrace help
setlocal
for %%d in ("%~dp0..") do set "home=%%~fd"
call "%home%\bin\find-java.cmd" || exit /b 64
rem Short commands start faster without the optimizing compiler; benchmarks, queries over files and journals need it.
set "compiler=-XX:TieredStopAtLevel=1"
if "%~1"=="bench" set "compiler="
if "%~1"=="cql" set "compiler="
if "%~1"=="journal" set "compiler="
if "%~1"=="replay" set "compiler="
if "%~1"=="app" if "%~2"=="run" set "compiler="
rem Journals need the opened packages, which cost other commands time at the start.
set "opens="
if "%~1"=="bench" set "opens=@%home%\bin\java-opens.txt"
if "%~1"=="journal" set "opens=@%home%\bin\java-opens.txt"
if "%~1"=="replay" set "opens=@%home%\bin\java-opens.txt"
if defined opens set opens="%opens%"
rem Benchmarks hold millions of events; memory is allocated on demand.
set "heap=-Xmx512m"
if "%~1"=="bench" if "%~2"=="engine" set "heap=-Xmx3g"
if "%~1"=="bench" if "%~2"=="kit" set "heap=-Xmx3g"
rem A replay, a validation, a comparison and a run read the files of an application with the bundles that a server reads them with.
set "reads="
if "%~1"=="replay" set "reads=yes"
if "%~1"=="app" if "%~2"=="validate" set "reads=yes"
if "%~1"=="app" if "%~2"=="diff" set "reads=yes"
if "%~1"=="app" if "%~2"=="run" set "reads=yes"
set "bundles="
if defined reads for /d %%d in ("%home%\bundles\20-spring\*") do for %%f in ("%%d\*.jar") do call set "bundles=%%bundles%%;%%f"
if defined reads for %%f in ("%home%\bundles\30-platform\millrace-assembly-*.jar") do call set "bundles=%%bundles%%;%%f"
if defined reads for %%f in ("%home%\lib\jcl-over-slf4j-*.jar") do call set "bundles=%%bundles%%;%%f"
rem The beans of an application that runs in the process of the command log to the screen.
set "logs="
if "%~1"=="app" if "%~2"=="run" set "logs=yes"
if defined logs for /d %%d in ("%home%\maven\org\slf4j\slf4j-simple\*") do for %%f in ("%%d\slf4j-simple-*.jar") do call set "bundles=%%bundles%%;%%f"
rem A batch file cannot detect a terminal; therefore long commands show no progress.
"%java%" %compiler% %opens% "@%home%\bin\command-options.txt" %heap% %MILLRACE_OPTS% ^
    "-Dwlevs.home=%home%" -Dmillrace.screen=none ^
    -cp "%home%\lib\command\*;%home%\lib\tuning\*%bundles%" ^
    dev.millrace.command.Main %*
exit /b %errorlevel%
