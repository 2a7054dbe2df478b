# Completion of gpu-occupancy in fish: commands and options as --help lists them.

function __gpu_occupancy_commands
    gpu-occupancy --help 2>/dev/null | string replace -rf '^  ([a-z][a-z-]*) +(.*)' '$1\t$2'
end

function __gpu_occupancy_options
    set -l words (commandline -opc)
    gpu-occupancy $words[2] --help 2>/dev/null | string replace -rf '^  (-[a-zA-Z-]+=?)\S* +(.*)' '$1\t$2'
end

complete -c gpu-occupancy -n '__fish_is_nth_token 1' -f -a '(__gpu_occupancy_commands)'
complete -c gpu-occupancy -n 'not __fish_is_nth_token 1; and string match -q -- "-*" (commandline -ct)' -f -a '(__gpu_occupancy_options)'

function __gpu_occupancy_devices
    gpu-occupancy device list 2>/dev/null | string replace -rf '^(nvidia\S+) .*  (\S.*)' '$1\t$2'
end

function __gpu_occupancy_rules
    gpu-occupancy explain-rule 2>/dev/null | string replace -rf '^(\S+) +(.*)' '$1\t$2'
end

function __gpu_occupancy_forms
    set -l words (commandline -opc)
    gpu-occupancy $words[2] --help 2>/dev/null | string match -r '^  --format=.*' |
        string match -ra '\b(?:text|summary|remarks|json|yaml|sarif|github|markdown|html|lines)\b'
end

complete -c gpu-occupancy -n 'not __fish_is_nth_token 1' -l device -x -a '(__gpu_occupancy_devices)'
complete -c gpu-occupancy -n 'not __fish_is_nth_token 1' -l devices -x -a '(__gpu_occupancy_devices)'
complete -c gpu-occupancy -n 'not __fish_is_nth_token 1' -l format -x -a '(__gpu_occupancy_forms)'
complete -c gpu-occupancy -n '__fish_seen_subcommand_from explain-rule' -f -a '(__gpu_occupancy_rules)'
